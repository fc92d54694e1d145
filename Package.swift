// swift-tools-version: 6.0
// Targets in the order of the data's way: what is shared with the recorded program, the model, what
// reads, names and judges it, what writes it down, the command. Imports point to GenmarkModel.

import PackageDescription

let package = Package(
    name: "genmark",
    products: [
        .executable(name: "genmark", targets: ["GenmarkCommand"]),
        .library(name: "Genmark", targets: ["Genmark"]),
    ],
    targets: [
        // C, shared with the recorded program. The interposer (CShims/Interpose) is on purpose no target:
        // it would take over malloc in the test runner. The Makefile links it into libgenmark.so.
        .target(name: "CTraceFormat", path: "CShims/TraceFormat"),
        .target(name: "CMark", dependencies: ["CTraceFormat"], path: "CShims/Mark"),
        .target(name: "CRecorder", dependencies: ["CTraceFormat", "CMark"], path: "CShims/Recorder", publicHeadersPath: "."),
        .target(name: "CGenmark", path: "CShims/API"),
        .systemLibrary(name: "CElfutils", path: "CShims/elfutils", pkgConfig: "libdw"),
        .systemLibrary(name: "CDemangle", path: "CShims/cxxabi"),
        .systemLibrary(name: "CZlib", path: "CShims/zlib", pkgConfig: "zlib"),
        .systemLibrary(name: "CZstd", path: "CShims/zstd", pkgConfig: "libzstd"),

        .target(name: "GenmarkModel"),
        .target(name: "GenmarkTrace", dependencies: ["GenmarkModel", "CTraceFormat", "CMark"]),
        .target(name: "GenmarkSymbols", dependencies: ["GenmarkModel", "CElfutils", "CDemangle", "CZlib", "CZstd"]),
        .target(name: "GenmarkPack", dependencies: ["GenmarkModel", "GenmarkTrace", "GenmarkSymbols", "CZstd"]),
        .target(name: "GenmarkAnalysis", dependencies: ["GenmarkModel"]),
        .target(
            name: "GenmarkReports", dependencies: ["GenmarkModel", "GenmarkAnalysis"], exclude: ["report.schema.json"],
            resources: [
                .embedInCode("HTML/page.html"), .embedInCode("HTML/page.css"), .embedInCode("HTML/format.js"),
                .embedInCode("HTML/overview.js"), .embedInCode("HTML/findings.js"), .embedInCode("HTML/calltree.js"),
                .embedInCode("HTML/icicle.js"), .embedInCode("HTML/page.js"),
            ]),
        .executableTarget(
            name: "GenmarkCommand",
            dependencies: [
                "GenmarkModel", "GenmarkTrace", "GenmarkSymbols", "GenmarkPack", "GenmarkAnalysis", "GenmarkReports",
            ]),
        .target(name: "Genmark", dependencies: ["CGenmark"]),

        .target(name: "GenmarkTestSupport", dependencies: ["GenmarkModel", "CTraceFormat"], path: "Tests/Support"),
        .executableTarget(
            name: "genmark-fuzz",
            dependencies: [
                "GenmarkModel", "GenmarkTrace", "GenmarkSymbols", "GenmarkPack", "GenmarkAnalysis", "GenmarkReports",
                "GenmarkTestSupport",
            ], path: "Tests/Fuzz/Driver"),
        .testTarget(name: "GenmarkModelTests", dependencies: ["GenmarkModel", "GenmarkTestSupport"]),
        .testTarget(name: "GenmarkTraceTests", dependencies: ["GenmarkTrace", "GenmarkTestSupport", "CTraceFormat"]),
        .testTarget(name: "GenmarkSymbolsTests", dependencies: ["GenmarkSymbols", "GenmarkTestSupport"]),
        .testTarget(
            name: "GenmarkPackTests",
            dependencies: ["GenmarkPack", "GenmarkTrace", "GenmarkSymbols", "GenmarkTestSupport", "CTraceFormat"]),
        .testTarget(name: "GenmarkAnalysisTests", dependencies: ["GenmarkAnalysis", "GenmarkTestSupport"]),
        .testTarget(name: "GenmarkReportsTests", dependencies: ["GenmarkReports", "GenmarkTestSupport"]),
        .testTarget(name: "GenmarkCommandTests", dependencies: ["GenmarkCommand", "GenmarkTestSupport"]),
        .testTarget(name: "EndToEndTests", dependencies: ["GenmarkTestSupport"]),
        .testTarget(name: "ArchitectureTests", dependencies: ["GenmarkTestSupport"]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .gnu11
)
