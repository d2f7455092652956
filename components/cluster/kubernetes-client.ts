// The part of the Kubernetes client that this project uses, and the WebSockets that go with it. dev/bundle.mjs builds them
// into build/kubernetes-client.js, because importing the whole client costs more than half a second in every run.
export { KubeConfig } from "@kubernetes/client-node";
export { WebSocket } from "ws";
