// SPDX-License-Identifier: MIT
// Two ways of telling others about values: a subject that lives as long as the program and holds its
// subscribers until they leave, and a signal that lets go of them when it is completed.

final class Subject<Value> {
  private var subscribers: [(Value) -> Void] = []

  init() {
    subscribers.reserveCapacity(64)
  }

  func subscribe(_ subscriber: @escaping (Value) -> Void) {
    subscribers.append(subscriber)
  }

  func send(_ value: Value) {
    for subscriber in subscribers {
      subscriber(value)
    }
  }
}

final class Signal<Value> {
  private var observers: [(Value) -> Void] = []

  func observe(_ observer: @escaping (Value) -> Void) {
    observers.append(observer)
  }

  func complete(with value: Value) {
    let waiting = observers
    observers = []
    for observer in waiting {
      observer(value)
    }
  }
}
