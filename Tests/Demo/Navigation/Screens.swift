// SPDX-License-Identifier: MIT
// The screens. Two of them are never given back: ClockScreen, which its timer holds, and InboxScreen,
// which the subject it subscribed to holds. The other three do the same things right.

/// What every screen may use; lives as long as the program.
final class Services {
  let scheduler = Scheduler()
  let newMail = Subject<String>()
  let images = ImageCache(limit: 8)
}

class Screen {
  let services: Services
  private(set) var labels: [String] = []

  init(_ services: Services) {
    self.services = services
  }

  func willAppear() {}

  func show(_ text: String) {
    labels.append(text)
  }
}

/// Stops its timer when it goes away. It never goes away: scheduler → timer → screen.
final class ClockScreen: Screen, TimerTarget {
  private var timer: RepeatingTimer?
  private var seconds = 0

  override func willAppear() {
    show("The time is shown here, second by second")
    timer = services.scheduler.every(1, call: self)
  }

  func timerFired() {
    seconds += 1
  }

  deinit {
    if let timer { services.scheduler.cancel(timer) }
  }
}

/// The same with a proxy that holds the screen weakly: it goes away and stops its timer.
final class StopwatchScreen: Screen, TimerTarget {
  private var timer: RepeatingTimer?
  private var seconds = 0

  override func willAppear() {
    show("The time since the start is shown here")
    timer = services.scheduler.every(1, call: WeakTarget(self))
  }

  func timerFired() {
    seconds += 1
  }

  deinit {
    if let timer { services.scheduler.cancel(timer) }
  }
}

/// Subscribes and never leaves: subject → closure → screen.
final class InboxScreen: Screen {
  private var unread = 0

  override func willAppear() {
    show("Messages that came in today, newest first")
    services.newMail.subscribe { _ in self.unread += 1 }
  }
}

/// Its closure holds the screen too, but only until the search is done.
final class SearchScreen: Screen {
  private let results = Signal<[String]>()

  override func willAppear() {
    show("Results of the search, best first")
    results.observe { self.show($0.joined(separator: ", ")) }
    results.complete(with: ["the first result", "the second result"])
  }
}

/// Shows two images that no screen has shown before; the cache drops the oldest ones.
final class GalleryScreen: Screen {
  private let page: Int

  init(_ services: Services, page: Int) {
    self.page = page
    super.init(services)
  }

  override func willAppear() {
    for name in ["front-\(page)", "back-\(page)"] {
      show("\(name): \(services.images.image(named: name).count) bytes of pixels")
    }
  }
}
