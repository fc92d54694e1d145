// SPDX-License-Identifier: MIT
// A run loop in small: it owns its timers and calls them when time is moved forward. Like a real run
// loop it holds a repeating timer until someone cancels it, and the timer holds its target.

protocol TimerTarget: AnyObject {
  func timerFired()
}

final class RepeatingTimer {
  let interval: Int
  let target: any TimerTarget
  fileprivate var nextFire: Int

  fileprivate init(interval: Int, target: any TimerTarget, now: Int) {
    self.interval = interval
    self.target = target
    nextFire = now + interval
  }
}

final class Scheduler {
  private var timers: [RepeatingTimer] = []
  private var now = 0

  init() {
    timers.reserveCapacity(64)
  }

  func every(_ interval: Int, call target: any TimerTarget) -> RepeatingTimer {
    let timer = RepeatingTimer(interval: interval, target: target, now: now)
    timers.append(timer)
    return timer
  }

  func cancel(_ timer: RepeatingTimer) {
    timers.removeAll { $0 === timer }
  }

  func advance(by ticks: Int) {
    now += ticks
    for timer in timers where timer.nextFire <= now {
      timer.target.timerFired()
      timer.nextFire = now + timer.interval
    }
  }
}

/// Stands between a timer and its target, so that the timer does not keep the target alive.
final class WeakTarget: TimerTarget {
  private weak var target: (any TimerTarget)?

  init(_ target: any TimerTarget) {
    self.target = target
  }

  func timerFired() {
    target?.timerFired()
  }
}
