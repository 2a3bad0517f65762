# The Conan 2 recipe of entrain, in the form of the public index of recipes.
#
#   conan create conan -s compiler.cppstd=20 --build=missing
#
# In this repository the sources are those of the folder above. For the public index a conandata.yml next to this file names the archive of a
# release, its SHA-256 and its patches; the recipe is the same.
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, load, rm, rmdir
from conan.tools.scm import Version

required_conan_version = ">=2.0.9"


class EntrainConan(ConanFile):
    name = "entrain"
    description = "Trains models for Named Entity Recognition; the compiler specialises the trainer for the device"
    license = "MIT AND Unicode-DFS-2016 AND Unicode-3.0"
    url = "https://github.com/conan-io/conan-center-index"
    homepage = "https://example.org/entrain"
    topics = ("named-entity-recognition", "nlp", "machine-learning", "training", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "compiled": [True, False],
        "with_onednn": [True, False],
        "with_zlib": [True, False],
        "with_zstd": [True, False],
    }
    default_options = {
        "compiled": False,
        "with_onednn": False,
        "with_zlib": True,
        "with_zstd": True,
    }
    no_copy_source = True

    @property
    def _released(self):
        return self.version in (self.conan_data or {}).get("sources", {})

    def set_version(self):
        header = os.path.join(self.recipe_folder, os.pardir, "include", "entrain", "core", "version.hpp")
        if not self.version and os.path.exists(header):
            self.version = re.search(r'version = "([0-9.]+)"', load(self, header)).group(1)

    def export_sources(self):
        if not self._released:
            repository = os.path.join(self.recipe_folder, os.pardir)
            for pattern in ("CMakeLists.txt", "LICENSE", "LICENSES/*", "cmake/*", "include/*", "src/*"):
                copy(self, pattern, repository, os.path.join(self.export_sources_folder, "src"))

    def configure(self):
        if self.options.compiled:
            self.package_type = "static-library"

    def layout(self):
        cmake_layout(self, src_folder="src")

    def requirements(self):
        self.requires("eigen/3.4.0", transitive_headers=True)
        # Of entrain::compiled only its own sources include these two.
        visible = not self.options.compiled
        self.requires("cli11/2.4.2", visible=visible)
        self.requires("nlohmann_json/3.11.3", visible=visible)
        if self.options.with_zlib:
            self.requires("zlib/[>=1.2.11 <2]")
        if self.options.with_zstd:
            self.requires("zstd/[>=1.5 <1.6]")
        if self.options.with_onednn:
            self.requires("onednn/2.4.4", transitive_headers=True)

    def package_id(self):
        if not self.info.options.compiled:
            self.info.clear()

    def validate(self):
        check_min_cppstd(self, "20")
        if self.settings.os == "Windows":
            raise ConanInvalidConfiguration(f"{self.ref} cannot be used on Windows: it maps and locks files by POSIX")
        oldest = {"gcc": "12", "clang": "19"}.get(str(self.settings.compiler))
        if oldest and Version(self.settings.compiler.version) < oldest:
            raise ConanInvalidConfiguration(f"{self.ref} requires {self.settings.compiler} {oldest} or newer")

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.25 <5]")

    def source(self):
        if self._released:
            get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def generate(self):
        tc = CMakeToolchain(self)
        for part in ("TESTS", "EXAMPLES", "BENCHES"):
            tc.cache_variables[f"ENTRAIN_{part}"] = False
        tc.cache_variables["ENTRAIN_BUILD_COMPILED"] = bool(self.options.compiled)
        for library in ("onednn", "zlib", "zstd"):
            tc.cache_variables[f"ENTRAIN_WITH_{library.upper()}"] = bool(self.options.get_safe(f"with_{library}"))
        tc.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        if self.options.compiled:
            cmake.build()

    def package(self):
        licenses = os.path.join(self.package_folder, "licenses")
        copy(self, "LICENSE", self.source_folder, licenses)
        for tables in ("Unicode-DFS-2016.txt", "Unicode-3.0.txt"):  # of tables in the headers
            copy(self, tables, os.path.join(self.source_folder, "LICENSES"), licenses)
        CMake(self).install()
        # Conan writes its own files for find_package and pkg-config.
        for folder in ("share", os.path.join("lib", "pkgconfig"), os.path.join("lib", "cps")):
            rmdir(self, os.path.join(self.package_folder, folder))
        rm(self, "entrainConfig*.cmake", self.package_folder, recursive=True)
        rm(self, "entrainTargets*.cmake", self.package_folder, recursive=True)

    def package_info(self):
        functions = os.path.join("lib", "cmake", "entrain")
        self.cpp_info.set_property("cmake_file_name", "entrain")
        self.cpp_info.set_property("cmake_target_name", "entrain::all")
        self.cpp_info.set_property("cmake_config_version_compat", "SameMinorVersion")
        self.cpp_info.set_property("cmake_build_modules", [os.path.join(functions, "EntrainFunctions.cmake")])

        def component(name, target, requires):
            made = self.cpp_info.components[name]
            made.set_property("cmake_target_name", f"entrain::{target}")
            made.bindirs = []
            made.libdirs = []
            made.requires = requires
            return made

        headers = component("headers", "entrain", ["eigen::eigen"])
        headers.builddirs = [functions]
        headers.defines = ["EIGEN_DONT_PARALLELIZE"]
        headers.set_property("pkg_config_name", "entrain")
        if self.settings.os in ("Linux", "FreeBSD"):
            headers.system_libs = ["pthread", "m"]
        component("native", "native", []).cxxflags = ["-march=native"]

        decompressors = []
        for library in ("zlib", "zstd"):
            if self.options.get_safe(f"with_{library}"):
                component(library, library, [f"{library}::{library}"]).defines = [f"ENTRAIN_{library.upper()}"]
                decompressors.append(library)
        if self.options.with_onednn:
            onednn = component("onednn", "onednn", ["headers", "onednn::onednn"])
            onednn.defines = ["ENTRAIN_ONEDNN"]
            onednn.system_libs = ["gomp"]  # of its cpu_runtime OMP

        if self.options.compiled:
            compiled = component("compiled", "compiled", ["headers", *decompressors])
            compiled.set_property("pkg_config_name", "entrain-compiled")
            compiled.libdirs = ["lib"]
            compiled.libs = ["entrain_compiled", "entrain_decompress"]
            compiled.defines = ["ENTRAIN_COMPILED"]
            component("app", "app", ["compiled"])
        else:
            component("app", "app", ["headers", "cli11::cli11", "nlohmann_json::nlohmann_json", *decompressors])
