// Renders a chart as `helm template` does, as far as our chart needs it: Go's templates, the functions of Sprig
// and the four of Helm that we use. For machines that have Go and Sprig but no Helm.
//
//	render-chart <chart> <values as JSON>
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

type object = map[string]interface{}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func readYaml(path string) object {
	text, err := os.ReadFile(path)
	must(err)
	var read object
	must(yaml.Unmarshal(text, &read))
	return read
}

// Merges the given values into those of the chart, recursively.
func merge(into, given object) object {
	for key, value := range given {
		inner, isObject := value.(map[string]interface{})
		known, wasObject := into[key].(map[string]interface{})
		if isObject && wasObject {
			into[key] = merge(known, inner)
		} else {
			into[key] = value
		}
	}
	return into
}

func main() {
	chart := os.Args[1]
	var given object
	must(json.Unmarshal([]byte(os.Args[2]), &given))
	about := readYaml(filepath.Join(chart, "Chart.yaml"))
	context := object{
		"Values":  merge(readYaml(filepath.Join(chart, "values.yaml")), given),
		"Release": object{"Name": "shop", "Namespace": "default", "Service": "Helm"},
		"Chart": object{
			"Name": about["name"], "Version": about["version"], "AppVersion": about["appVersion"],
		},
	}
	all := template.New("chart").Option("missingkey=zero").Funcs(sprig.TxtFuncMap())
	all.Funcs(template.FuncMap{
		"include": func(name string, data interface{}) (string, error) {
			var out strings.Builder
			err := all.ExecuteTemplate(&out, name, data)
			return out.String(), err
		},
		"toYaml": func(value interface{}) (string, error) {
			text, err := yaml.Marshal(value)
			return strings.TrimSuffix(string(text), "\n"), err
		},
		"required": func(message string, value interface{}) (interface{}, error) {
			if value == nil || value == "" {
				return nil, fmt.Errorf(message)
			}
			return value, nil
		},
	})
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	must(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(err)
		_, err = all.New(filepath.Base(file)).Parse(string(text))
		must(err)
	}
	for _, file := range files {
		if filepath.Ext(file) != ".yaml" {
			must(all.ExecuteTemplate(&strings.Builder{}, filepath.Base(file), context))
			continue
		}
		fmt.Printf("\n---\n# Source: %s\n", filepath.Base(file))
		must(all.ExecuteTemplate(os.Stdout, filepath.Base(file), context))
	}
}
