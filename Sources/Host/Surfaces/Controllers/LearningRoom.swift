// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import GraphFiles
internal import Surfaces

/// The surface of the graph's MIDI controllers, and the controls that it has learned, kept over restarts.
///
/// Belongs to the control thread.
final class LearningRoom {
  /// The learned controls as the file has them.
  struct Kept: Codable, Sendable, Equatable {
    /// The learned controls of one controller.
    struct Controller: Codable, Sendable, Equatable, Repairable {
      var map: [Learned]

      /// The controls that can be read.
      func repaired(_ note: (String) -> Void) -> Controller? {
        Controller(
          map: map.filter { control in
            if control.mapping == nil { note("'\(control.control)' is not a control") }
            return control.mapping != nil
          }
        )
      }
    }

    /// One learned control.
    struct Learned: Codable, Sendable, Equatable {
      var control: String
      var parameter: String
      var touch: String?
      var feedback: Bool
    }

    /// The version of the format.
    var multirouteControllers = 1
    /// The controllers by name.
    @KeptEntries var controllers: [String: Controller] = [:]
  }

  /// A request that waits for a control.
  typealias Lesson = Task<Result<ControllerSurface.Learned, ControlError>, Never>

  private var running: ControllerSurface?
  /// The connection of the surface.
  private var tree: (any ParameterTree)?
  /// The latest lesson of each connection, which has one at a time.
  private var lessons: [ConnectionID: Lesson] = [:]
  /// The connections of which nobody reads the answers any more.
  private var left: Set<ConnectionID> = []
  /// The latest writing of controls whose parameters have other paths.
  private var writing: Task<Void, Never>?

  private let control: Control
  private let file: KeptFile?

  /// The surface; nil before the host lives, and for a graph without controllers.
  var surface: ControllerSurface? { running }

  /// Makes a room without a surface.
  ///
  /// - Parameters:
  ///   - file: The file of what it keeps; nil where nothing can be kept.
  ///   - control: The services that all rooms share.
  init(file: KeptFile?, control: Control) {
    self.control = control
    self.file = file
  }

  /// Starts the surface; it ends with its tree.
  ///
  /// - Parameters:
  ///   - tree: The surface's own connection.
  ///   - controllers: The controllers of the graph.
  func begin(_ tree: any ParameterTree, _ controllers: [GraphFile.Controller]) {
    let learned = restored().mapValues { $0.map.compactMap(\.mapping) }
    let surface = ControllerSurface(tree: tree, controllers: controllers, learned: learned)
    (running, self.tree) = (surface, tree)
    control.task { [control] in
      do throws(ControlError) {
        try await surface.run()
      } catch {
        control.publish(.error(), "the MIDI controllers cannot be used: \(error.message)")
      }
    }
  }

  /// Lets go of the surface with the host.
  func end() { (running, tree) = (nil, nil) }

  /// Ends the surface, with all lessons.
  func leave() async {
    for lesson in lessons.values { lesson.cancel() }
    let former = tree
    end()
    await former?.close()
  }

  // MARK: - Lessons

  /// Begins a lesson, which ends with its client at the latest.
  ///
  /// - Parameters:
  ///   - connection: The client's connection.
  ///   - learn: Waits for the control until the task is cancelled.
  /// - Returns: The lesson.
  /// - Throws: `refused` for a client that has left.
  func lesson(
    for connection: ConnectionID,
    _ learn: @escaping @Sendable () async throws(ControlError) -> ControllerSurface.Learned,
  ) throws(ControlError) -> Lesson {
    guard !left.contains(connection) else {
      throw ControlError(.refused, message: "learn: the client has left")
    }
    let lesson = Lesson {
      do throws(ControlError) {
        return .success(try await learn())
      } catch {
        return .failure(error)
      }
    }
    lessons[connection] = lesson
    return lesson
  }

  /// Ends the lesson of a client that has left; those that it has asked for before it left do not begin.
  func clientLeft(_ connection: ConnectionID) {
    left.insert(connection)
    lessons[connection]?.cancel()
  }

  /// Forgets a connection that is gone.
  func connectionClosed(_ connection: ConnectionID) {
    left.remove(connection)
    lessons[connection] = nil
  }

  // MARK: - Renaming

  /// Keeps learned controls under the new paths of their parameters; the surface itself is told as all watchers are.
  func rename(_ names: PortRenames) {
    guard let running else { return }
    let before = writing
    writing = control.task { [weak self] in
      await before?.value
      await self?.keepRenamed(running.learned, names)
    }
  }

  private func keepRenamed(_ learned: [String: [ControlMapping]], _ names: PortRenames) async {
    guard !learned.isEmpty else { return }
    let steps = PathRenames(names: names).steps(
      for: learned.values.flatMap { $0.compactMap(\.parameterPath) }
    )
    do throws(ControlError) {
      // The surface may have been told already, and its paths are the new ones then.
      try await keep(learned.mapValues { $0.map { $0.renamed(by: steps) } })
    } catch {
      control.publish(.error(), error.message)
    }
  }

  // MARK: - The file

  private func restored() -> [String: Kept.Controller] {
    guard let file else { return [:] }
    if let fault = file.takeFormer() { control.publish(.error(), fault) }
    do throws(KeptFile.Fault) {
      guard let read = try file.read(Kept.self) else { return [:] }
      guard read.value.multirouteControllers == 1 else {
        let format = read.value.multirouteControllers
        control.publish(
          .error(),
          file.setAside("it has format \(format), made by a newer version"),
        )
        return [:]
      }
      if !read.faults.isEmpty { control.publish(.error(), file.keepAside(read.faults)) }
      return read.value.controllers
    } catch {
      control.publish(.error(), file.setAside(error.description))
      return [:]
    }
  }

  /// Writes the learned controls away from the control thread, because the disk may be slow.
  ///
  /// - Throws: `refused` where they cannot be kept; they work until the host ends.
  func keep(_ learned: [String: [ControlMapping]]) async throws(ControlError) {
    guard let file else {
      throw ControlError(
        .refused,
        message:
          "learn: neither XDG_STATE_HOME nor HOME says where it can be kept; it works until the host ends",
      )
    }
    let kept = Kept(
      controllers: learned.mapValues { Kept.Controller(map: $0.compactMap(Kept.Learned.init)) }
    )
    do throws(KeptFile.Fault) {
      try await file.replaceElsewhere(with: kept)
    } catch {
      throw ControlError(.refused, message: "learn: it cannot be kept: \(error)")
    }
  }
}

extension LearningRoom.Kept.Learned {
  /// A mapping as it is kept; nil for one that sets no parameter. [any-thread]
  init?(_ mapping: ControlMapping) {
    guard case .parameter(let path) = mapping.target else { return nil }
    control = mapping.control.description
    parameter = path
    touch = mapping.touch?.description
    feedback = mapping.feedback != nil
  }

  /// The mapping; nil for a text that is no control. [any-thread]
  var mapping: ControlMapping? {
    guard let control = try? MIDIControl(control) else { return nil }
    var mapping = ControlMapping(control, .parameter(parameter))
    mapping.touch = touch.flatMap { try? MIDIControl($0) }
    mapping.feedback = feedback ? ControlMapping.Feedback(control) : nil
    return mapping
  }
}
