// SPDX-License-Identifier: MIT
// A navigation stack: in every cycle five screens are pushed and popped again, and then nothing of
// them should be left. What is marked is the end of a cycle. Usage: navigation [CYCLES]

final class NavigationStack {
  private var screens: [Screen] = []

  func push(_ screen: Screen) {
    screens.append(screen)
    screen.willAppear()
  }

  func popToRoot() {
    screens.removeAll(keepingCapacity: true)
  }
}

final class App {
  private let services = Services()
  private let navigation = NavigationStack()

  func openClock() { navigation.push(ClockScreen(services)) }
  func openStopwatch() { navigation.push(StopwatchScreen(services)) }
  func openInbox() { navigation.push(InboxScreen(services)) }
  func openSearch() { navigation.push(SearchScreen(services)) }
  func openGallery(page: Int) { navigation.push(GalleryScreen(services, page: page)) }

  /// What a user does in a second: looks at every screen, gets a message, and goes back.
  func visitEverything(cycle: Int) {
    openClock()
    openStopwatch()
    openInbox()
    openSearch()
    openGallery(page: cycle)
    services.scheduler.advance(by: 1)
    services.newMail.send("Message \(cycle)")
    navigation.popToRoot()
  }
}

let cycles = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 20
let app = App()
for cycle in 0..<cycles {
  app.visitEverything(cycle: cycle)
  genmark_mark("pop")
}
print("visited \(cycles * 5) screens")
