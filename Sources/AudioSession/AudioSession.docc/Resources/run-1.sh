multiroute run graphs/voice-duck.yaml &
swift run Player song.flac &
multiroute status
