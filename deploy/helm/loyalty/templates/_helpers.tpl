{{/* Prefix of all names. */}}
{{- define "loyalty.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "loyalty.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "loyalty.labels" -}}
{{ include "loyalty.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "loyalty.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "loyalty.secret" -}}
{{ .Values.existingSecret | default (include "loyalty.name" .) }}
{{- end }}

{{/* Settings of every process, and where the others are. */}}
{{- define "loyalty.env" -}}
{{- $name := include "loyalty.name" . }}
{{- range $key, $value := .Values.settings }}
- { name: {{ $key }}, value: {{ $value | quote }} }
{{- end }}
{{- range $role := list "gateway" "workspace" "loyalty" "commerce" "engagement" "model" }}
{{- $port := (index $.Values.roles $role).port }}
- { name: {{ upper $role }}_URL, value: {{ printf "http://%s-%s:%v" $name $role $port | quote }} }
{{- end }}
{{- with .Values.roles.scorer }}
{{- if .enabled }}
- { name: MODEL_URL_SCORE, value: {{ printf "http://%s-scorer:%v" $name .port | quote }} }
{{- end }}
{{- end }}
{{- end }}

{{/* What is secret: given here, or in a Secret that exists. */}}
{{- define "loyalty.secretData" -}}
{{- range $key, $value := .Values.secrets }}
{{- if $value }}
{{ $key }}: {{ $value | quote }}
{{- end }}
{{- end }}
{{- end }}

{{- define "loyalty.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}
