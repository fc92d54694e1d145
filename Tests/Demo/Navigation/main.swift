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

func pushAllScreens(on navigation: NavigationStack, services: Services, cycle: Int) {
  navigation.push(ClockScreen(services))
  navigation.push(StopwatchScreen(services))
  navigation.push(InboxScreen(services))
  navigation.push(SearchScreen(services))
  navigation.push(GalleryScreen(services, page: cycle))
}

let cycles = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 20
let services = Services()
let navigation = NavigationStack()

for cycle in 0..<cycles {
  pushAllScreens(on: navigation, services: services, cycle: cycle)
  services.scheduler.advance(by: 1)
  services.newMail.send("Message \(cycle)")
  navigation.popToRoot()
  genmark_mark("pop")
}
print("visited \(cycles * 5) screens")
