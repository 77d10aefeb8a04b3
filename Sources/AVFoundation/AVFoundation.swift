// SPDX-License-Identifier: MIT

@_exported public import AudioSession
@_exported public import CoreMedia
@_exported public import Foundation
