{{- define "selector" -}}
app.kubernetes.io/name: {{ . }}
app.kubernetes.io/component: proxy
otilm.com/proxy: {{ . }}
{{- end }}
{{- define "labels" -}}
{{ include "selector" . }}
app.kubernetes.io/managed-by: Helm
app.kubernetes.io/part-of: network-zones
{{- end }}
