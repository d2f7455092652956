// The part of the Kubernetes client that this project uses. dev/bundle.mjs builds it into build/kubernetes-client.js,
// because importing the whole client costs more than half a second in every run.
export { KubeConfig } from "@kubernetes/client-node";
