multiroute run graphs/voice-duck.yaml &
swift run Player song.flac &
multiroute status

multiroute simulate interruption begin --class phone
multiroute why Player
multiroute simulate interruption end --class phone
playerctl pause
