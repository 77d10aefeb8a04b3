// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// An app on the user's message bus, as MPRIS wants players to be there.
typedef struct media_player media_player;

/// The commands of a remote control.
enum media_player_command {
  MEDIA_PLAYER_PLAY,
  MEDIA_PLAYER_PAUSE,
  MEDIA_PLAYER_TOGGLE,
  MEDIA_PLAYER_STOP,
  MEDIA_PLAYER_NEXT,
  MEDIA_PLAYER_PREVIOUS,
  /// `value` is where to, in microseconds.
  MEDIA_PLAYER_SEEK,
  /// `value` is how far, in microseconds; negative goes back.
  MEDIA_PLAYER_SKIP,
  /// `value` is how many times as fast as normal.
  MEDIA_PLAYER_RATE,
  /// `value` is the amplitude, 0 to 1.
  MEDIA_PLAYER_VOLUME,
  /// `value` is the repetition: 0 nothing, 1 the track, 2 the playlist.
  MEDIA_PLAYER_REPEAT,
  /// `value` is 1 for a random order, 0 for none.
  MEDIA_PLAYER_SHUFFLE,
};

/// Called on the thread of `media_player_run`; must not block.
typedef void (*media_player_handler)(void *context, int32_t command, double value);

/// The facts that remote controls show, and the commands that they may send.
typedef struct media_player_facts {
  /// "Playing", "Paused" or "Stopped".
  const char *status;
  /// NULL for none; copied.
  const char *title;
  const char *artist;
  const char *album;
  const char *album_artist;
  const char *composer;
  const char *genre;
  const char *art_url;
  /// 0 for none.
  int32_t track_number;
  /// 0 where it is not known.
  int64_t length_microseconds;
  /// Negative for where it is already.
  int64_t position_microseconds;
  /// How fast the place moves; 0 stands still.
  double rate;
  /// The allowed rates; both 1 if the rate is fixed.
  double minimum_rate;
  double maximum_rate;
  /// The repetition: 0 nothing, 1 the track, 2 the playlist.
  int32_t repetition;
  bool is_shuffled;
  /// As an amplitude.
  double volume;
  bool can_play;
  bool can_pause;
  bool can_go_next;
  bool can_go_previous;
  /// To a place, and by so much.
  bool can_seek;
  bool can_skip;
} media_player_facts;

/// Joins the user's bus under `org.mpris.MediaPlayer2.NAME`.
///
/// 0, or a negative errno value; then there is no player.
int media_player_open(
  const char *name, const char *identity, media_player_handler handler, void *context,
  media_player **player);

/// Answers remote controls until `media_player_stop`; 0, or the negative errno value with which the bus went.
int media_player_run(media_player *player);

/// Changes what remote controls are told. [any-thread]
void media_player_update(media_player *player, const media_player_facts *facts);

/// Ends `media_player_run`. [any-thread]
void media_player_stop(media_player *player);

/// Leaves the bus and frees everything, once `media_player_run` has returned.
void media_player_close(media_player *player);
