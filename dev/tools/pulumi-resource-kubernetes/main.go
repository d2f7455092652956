// The Kubernetes provider of Pulumi. Its own main embeds files that its Go module does not ship
// (schema and terraform mapping, which only code generators ask for), so this one stands in.
package main

import "github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"

func main() {
	provider.Serve("kubernetes", "4.25.0", []byte("{}"), []byte("{}"))
}
