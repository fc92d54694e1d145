// SPDX-License-Identifier: MIT
//
// GitHubAnnotations: a check as workflow commands, which GitHub shows at the lines of a change.

import GenmarkAnalysis
import GenmarkModel

public enum GitHubAnnotations {
  /// A line each; GitHub shows ten errors and ten warnings of a step.
  public static func text(_ check: CheckReport, root: SourceRoot) -> String {
    var out = ""
    for item in check.cases {
      guard case .failed(let exceeded) = item.outcome else { continue }
      let message = item.finding.sentence + "; over " + exceeded.map(\.sentence).joined(separator: ", over ")
      out += line("error", item.finding.headline, root, message + " [\(item.finding.fingerprint)]")
    }
    for excess in check.exceededInAll { out += line("error", nil, root, "in all over \(excess.sentence)") }
    if !check.reasons.isEmpty {
      let level = check.outcome == .inconclusive ? "error" : "warning"
      out += line(level, nil, root, "inconclusive: " + check.reasons.joined(separator: " "))
    }
    return out
  }

  private static func line(_ level: String, _ frame: Frame?, _ root: SourceRoot, _ message: String) -> String {
    var properties = "title=genmark"
    if let file = frame?.file, let relative = root.relative(file) {
      properties =
        "file=\(Escaping.githubProperty(relative))" + (frame?.line.map { ",line=\($0)" } ?? "") + ",title=genmark"
    }
    return "::\(level) \(properties)::\(Escaping.githubMessage(Escaping.cut(message)))\n"
  }
}
