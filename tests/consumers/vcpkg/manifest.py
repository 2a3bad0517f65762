# Checks the manifest of the port against the rules of vcpkg's published schema, and that it is written as `vcpkg format-manifest` writes it.
#
#   python3 tests/consumers/vcpkg/manifest.py vcpkg/entrain/vcpkg.json VERSION
import json
import re
import sys

path, version = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    text = file.read()
port = json.loads(text)
faults = []


def expect(right, sentence):
    if not right:
        faults.append(sentence)


# The order of vcpkg's serialisation. A manifest has exactly one of the four versions.
VERSIONS = ["version", "version-semver", "version-date", "version-string"]
ORDER = ["name", *VERSIONS, "port-version", "maintainers", "contacts", "summary", "description", "homepage", "documentation", "license", "supports",
         "builtin-baseline", "vcpkg-configuration", "dependencies", "default-features", "features", "overrides"]
IDENTIFIER = r"[a-z0-9]+(-[a-z0-9]+)*"
RESERVED = r"(prn|aux|nul|con|lpt[1-9]|com[1-9]|core|default)"
SEMVER = r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)"
SPDX = {"MIT", "Unicode-DFS-2016", "Unicode-3.0"}  # of the SPDX list of licences, those that this project uses


def identifier(name):
    return isinstance(name, str) and re.fullmatch(IDENTIFIER, name) and not re.fullmatch(RESERVED, name)


def ordered(found, order, where):
    expect(all(key in order for key in found), f"{where}: a field that the schema lacks in {list(found)}")
    expect(list(found) == sorted(found, key=lambda key: order.index(key) if key in order else -1), f"{where}: fields in another order than {order}")


def dependencies(found, where):
    names = []
    for one in found:
        if isinstance(one, str):
            one = {"name": one}
        else:
            ordered(one, ["name", "host", "default-features", "features", "platform", "version>="], where)
            expect(len(one) > 1, f"{where}: an object with a name alone is written as a string")
            expect(isinstance(one.get("host", True), bool), f"{where}: host is a Boolean")
        expect(identifier(one.get("name")), f"{where}: {one.get('name')} is no name of a port")
        names.append(one.get("name"))
    expect(names == sorted(names), f"{where}: dependencies are sorted by name")
    expect(len(names) == len(set(names)), f"{where}: a dependency is there twice")


ordered(port, ORDER, "manifest")
expect(identifier(port.get("name")), "name: small letters, digits and single dashes")
expect(sum(key in port for key in VERSIONS) == 1, "exactly one of the four version fields")
expect(re.fullmatch(SEMVER, port.get("version-semver", "")), "version-semver: three numbers")
expect(port.get("version-semver") == version, f"version-semver: expected {version}, the version of the headers")
expect(isinstance(port.get("description"), str) and port["description"], "description: one or more lines")
expect(set((port.get("license") or "").split(" AND ")) <= SPDX, "license: an SPDX expression")
dependencies(port.get("dependencies", []), "dependencies")
features = port.get("features", {})
expect(isinstance(features, dict), "features: an object")
expect(list(features) == sorted(features), "features are sorted by name")
for name, feature in features.items():
    expect(identifier(name), f"features: {name} is no name of a feature")
    ordered(feature, ["description", "supports", "dependencies"], f"features: {name}")
    expect(feature.get("description"), f"features: {name}: no description")
    dependencies(feature.get("dependencies", []), f"features: {name}")
defaults = port.get("default-features", [])
expect(defaults == sorted(defaults) and set(defaults) <= set(features), "default-features: names of features, sorted")
expect(set(features) == {"app", "cuda", "onednn", "zlib", "zstd"}, "features: app, cuda, onednn, zlib, zstd")
expect(text == json.dumps(port, indent=2, ensure_ascii=False) + "\n", "text: two blanks for each level, each value of a list in its own line, a newline at the end")
for fault in faults:
    print(f"{path}: {fault}")
sys.exit(bool(faults))
