// SPDX-License-Identifier: MIT
#include "media_player.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <systemd/sd-bus.h>
#include <time.h>
#include <unistd.h>

static const char PATH[] = "/org/mpris/MediaPlayer2";
static const char ROOT[] = "org.mpris.MediaPlayer2";
static const char PLAYER[] = "org.mpris.MediaPlayer2.Player";
static const char *const REPETITIONS[] = {"None", "Track", "Playlist"};
static const char TRACK[] = "/org/multiroute/track";

struct media_player {
  sd_bus *bus;
  media_player_handler handler;
  void *context;
  char *identity;
  int wake;
  pthread_mutex_t lock;
  // The lock protects the following members.
  bool is_stopping;
  bool has_changed;
  bool has_jumped;
  media_player_facts facts;
  int64_t position_at;
};

static int64_t now_microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000;
}

// Under the lock.
static int64_t position(const media_player *player) {
  const media_player_facts *facts = &player->facts;
  int64_t position = facts->position_microseconds;
  if (strcmp(facts->status, "Playing") == 0) {
    position += (int64_t)((double)(now_microseconds() - player->position_at) * facts->rate);
  }
  if (facts->length_microseconds > 0 && position > facts->length_microseconds) {
    return facts->length_microseconds;
  }
  return position;
}

static void free_facts(media_player_facts *facts) {
  free((char *)facts->status);
  free((char *)facts->title);
  free((char *)facts->artist);
  free((char *)facts->album);
  free((char *)facts->album_artist);
  free((char *)facts->composer);
  free((char *)facts->genre);
  free((char *)facts->art_url);
}

// MARK: - Methods

static int send(media_player *player, sd_bus_message *call, int32_t command, double value) {
  player->handler(player->context, command, value);
  return sd_bus_reply_method_return(call, NULL);
}

static int call_command(sd_bus_message *call, void *user, sd_bus_error *error) {
  (void)error;
  static const struct { const char *member; int32_t command; } commands[] = {
    {"Play", MEDIA_PLAYER_PLAY},     {"Pause", MEDIA_PLAYER_PAUSE},
    {"PlayPause", MEDIA_PLAYER_TOGGLE}, {"Stop", MEDIA_PLAYER_STOP},
    {"Next", MEDIA_PLAYER_NEXT},     {"Previous", MEDIA_PLAYER_PREVIOUS},
  };
  const char *member = sd_bus_message_get_member(call);
  for (size_t index = 0; index < sizeof commands / sizeof *commands; index += 1) {
    if (strcmp(commands[index].member, member) == 0) {
      return send(user, call, commands[index].command, 0);
    }
  }
  return -ENOSYS;
}

static int call_seek(sd_bus_message *call, void *user, sd_bus_error *error) {
  (void)error;
  media_player *player = user;
  int64_t offset;
  int status = sd_bus_message_read(call, "x", &offset);
  if (status < 0) return status;
  pthread_mutex_lock(&player->lock);
  bool skips = player->facts.can_skip && !player->facts.can_seek;
  double target = (double)position(player) + (double)offset;
  pthread_mutex_unlock(&player->lock);
  if (skips) return send(player, call, MEDIA_PLAYER_SKIP, (double)offset);
  return send(player, call, MEDIA_PLAYER_SEEK, target > 0 ? target : 0);
}

static int call_set_position(sd_bus_message *call, void *user, sd_bus_error *error) {
  (void)error;
  const char *track;
  int64_t target;
  int status = sd_bus_message_read(call, "ox", &track, &target);
  if (status < 0) return status;
  // A command for a track that is over is ignored, as MPRIS demands.
  if (strcmp(track, TRACK) != 0 || target < 0) return sd_bus_reply_method_return(call, NULL);
  return send(user, call, MEDIA_PLAYER_SEEK, (double)target);
}

static int call_nothing(sd_bus_message *call, void *user, sd_bus_error *error) {
  (void)user;
  (void)error;
  return sd_bus_reply_method_return(call, NULL);
}

static int call_open(sd_bus_message *call, void *user, sd_bus_error *error) {
  (void)call;
  (void)user;
  return sd_bus_error_set(error, SD_BUS_ERROR_NOT_SUPPORTED, "the app chooses what it plays");
}

// MARK: - Properties

static int get_no(
  sd_bus *bus, const char *path, const char *interface, const char *property,
  sd_bus_message *reply, void *user, sd_bus_error *error) {
  (void)bus, (void)path, (void)interface, (void)property, (void)user, (void)error;
  return sd_bus_message_append(reply, "b", 0);
}

static int get_yes(
  sd_bus *bus, const char *path, const char *interface, const char *property,
  sd_bus_message *reply, void *user, sd_bus_error *error) {
  (void)bus, (void)path, (void)interface, (void)property, (void)user, (void)error;
  return sd_bus_message_append(reply, "b", 1);
}

static int get_none(
  sd_bus *bus, const char *path, const char *interface, const char *property,
  sd_bus_message *reply, void *user, sd_bus_error *error) {
  (void)bus, (void)path, (void)interface, (void)property, (void)user, (void)error;
  return sd_bus_message_append(reply, "as", 0);
}

static int get_identity(
  sd_bus *bus, const char *path, const char *interface, const char *property,
  sd_bus_message *reply, void *user, sd_bus_error *error) {
  (void)bus, (void)path, (void)interface, (void)property, (void)error;
  return sd_bus_message_append(reply, "s", ((media_player *)user)->identity);
}

static int append_metadata(sd_bus_message *reply, const media_player_facts *facts) {
  int status = sd_bus_message_open_container(reply, 'a', "{sv}");
  if (status >= 0) status = sd_bus_message_append(reply, "{sv}", "mpris:trackid", "o", TRACK);
  if (status >= 0 && facts->length_microseconds > 0) {
    int64_t length = facts->length_microseconds;
    status = sd_bus_message_append(reply, "{sv}", "mpris:length", "x", length);
  }
  const struct { const char *key, *text; bool is_list; } texts[] = {
    {"mpris:artUrl", facts->art_url, false},
    {"xesam:title", facts->title, false},
    {"xesam:artist", facts->artist, true},
    {"xesam:album", facts->album, false},
    {"xesam:albumArtist", facts->album_artist, true},
    {"xesam:composer", facts->composer, true},
    {"xesam:genre", facts->genre, true},
  };
  for (size_t index = 0; status >= 0 && index < sizeof texts / sizeof *texts; index += 1) {
    const char *key = texts[index].key, *text = texts[index].text;
    if (!text) continue;
    status = texts[index].is_list ? sd_bus_message_append(reply, "{sv}", key, "as", 1, text)
                                  : sd_bus_message_append(reply, "{sv}", key, "s", text);
  }
  if (status >= 0 && facts->track_number > 0) {
    int32_t number = facts->track_number;
    status = sd_bus_message_append(reply, "{sv}", "xesam:trackNumber", "i", number);
  }
  return status < 0 ? status : sd_bus_message_close_container(reply);
}

static int get_fact(
  sd_bus *bus, const char *path, const char *interface, const char *property,
  sd_bus_message *reply, void *user, sd_bus_error *error) {
  (void)bus, (void)path, (void)interface, (void)error;
  media_player *player = user;
  pthread_mutex_lock(&player->lock);
  const media_player_facts *facts = &player->facts;
  int status = -ENOENT;
  if (strcmp(property, "PlaybackStatus") == 0) {
    status = sd_bus_message_append(reply, "s", facts->status);
  } else if (strcmp(property, "Metadata") == 0) {
    status = append_metadata(reply, facts);
  } else if (strcmp(property, "Position") == 0) {
    status = sd_bus_message_append(reply, "x", position(player));
  } else if (strcmp(property, "CanPlay") == 0) {
    status = sd_bus_message_append(reply, "b", (int)facts->can_play);
  } else if (strcmp(property, "CanPause") == 0) {
    status = sd_bus_message_append(reply, "b", (int)facts->can_pause);
  } else if (strcmp(property, "CanGoNext") == 0) {
    status = sd_bus_message_append(reply, "b", (int)facts->can_go_next);
  } else if (strcmp(property, "CanGoPrevious") == 0) {
    status = sd_bus_message_append(reply, "b", (int)facts->can_go_previous);
  } else if (strcmp(property, "CanSeek") == 0) {
    status = sd_bus_message_append(reply, "b", (int)(facts->can_seek || facts->can_skip));
  } else if (strcmp(property, "Rate") == 0) {
    // A paused app may say 0, which MPRIS does not want here.
    status = sd_bus_message_append(reply, "d", facts->rate > 0 ? facts->rate : 1.0);
  } else if (strcmp(property, "MinimumRate") == 0) {
    status = sd_bus_message_append(reply, "d", facts->minimum_rate);
  } else if (strcmp(property, "MaximumRate") == 0) {
    status = sd_bus_message_append(reply, "d", facts->maximum_rate);
  } else if (strcmp(property, "LoopStatus") == 0) {
    status = sd_bus_message_append(reply, "s", REPETITIONS[facts->repetition]);
  } else if (strcmp(property, "Shuffle") == 0) {
    status = sd_bus_message_append(reply, "b", (int)facts->is_shuffled);
  } else if (strcmp(property, "Volume") == 0) {
    status = sd_bus_message_append(reply, "d", facts->volume);
  }
  pthread_mutex_unlock(&player->lock);
  return status;
}

static int set_volume(
  sd_bus *bus, const char *path, const char *interface, const char *property,
  sd_bus_message *value, void *user, sd_bus_error *error) {
  (void)bus, (void)path, (void)interface, (void)property, (void)error;
  media_player *player = user;
  double volume;
  int status = sd_bus_message_read(value, "d", &volume);
  if (status < 0) return status;
  // A negative one means silence; the highest is the original volume.
  volume = volume > 0 ? (volume < 1 ? volume : 1) : 0;
  player->handler(player->context, MEDIA_PLAYER_VOLUME, volume);
  return 1;
}

static int set_repetition(
  sd_bus *bus, const char *path, const char *interface, const char *property,
  sd_bus_message *value, void *user, sd_bus_error *error) {
  (void)bus, (void)path, (void)interface, (void)property;
  media_player *player = user;
  const char *wanted;
  int status = sd_bus_message_read(value, "s", &wanted);
  if (status < 0) return status;
  for (int index = 0; index < 3; index += 1) {
    if (strcmp(REPETITIONS[index], wanted) != 0) continue;
    player->handler(player->context, MEDIA_PLAYER_REPEAT, index);
    return 1;
  }
  return sd_bus_error_set(
    error, SD_BUS_ERROR_INVALID_ARGS, "LoopStatus is None, Track or Playlist");
}

static int set_shuffle(
  sd_bus *bus, const char *path, const char *interface, const char *property,
  sd_bus_message *value, void *user, sd_bus_error *error) {
  (void)bus, (void)path, (void)interface, (void)property, (void)error;
  media_player *player = user;
  int shuffles;
  int status = sd_bus_message_read(value, "b", &shuffles);
  if (status < 0) return status;
  player->handler(player->context, MEDIA_PLAYER_SHUFFLE, shuffles != 0);
  return 1;
}

static int set_rate(
  sd_bus *bus, const char *path, const char *interface, const char *property,
  sd_bus_message *value, void *user, sd_bus_error *error) {
  (void)bus, (void)path, (void)interface, (void)property, (void)error;
  media_player *player = user;
  double rate;
  int status = sd_bus_message_read(value, "d", &rate);
  if (status < 0) return status;
  pthread_mutex_lock(&player->lock);
  double least = player->facts.minimum_rate, most = player->facts.maximum_rate;
  pthread_mutex_unlock(&player->lock);
  // 0 is a pause, as MPRIS says; others than the app can do are left out.
  if (rate == 0) {
    player->handler(player->context, MEDIA_PLAYER_PAUSE, 0);
  } else if (least < most && rate >= least && rate <= most) {
    player->handler(player->context, MEDIA_PLAYER_RATE, rate);
  }
  return 1;
}

#define FIXED SD_BUS_VTABLE_PROPERTY_CONST
#define CHANGES SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE
#define OPEN SD_BUS_VTABLE_UNPRIVILEGED

static const sd_bus_vtable root_table[] = {
  SD_BUS_VTABLE_START(0),
  SD_BUS_METHOD("Raise", "", "", call_nothing, OPEN),
  SD_BUS_METHOD("Quit", "", "", call_nothing, OPEN),
  SD_BUS_PROPERTY("CanQuit", "b", get_no, 0, FIXED),
  SD_BUS_PROPERTY("CanRaise", "b", get_no, 0, FIXED),
  SD_BUS_PROPERTY("HasTrackList", "b", get_no, 0, FIXED),
  SD_BUS_PROPERTY("Identity", "s", get_identity, 0, FIXED),
  SD_BUS_PROPERTY("SupportedUriSchemes", "as", get_none, 0, FIXED),
  SD_BUS_PROPERTY("SupportedMimeTypes", "as", get_none, 0, FIXED),
  SD_BUS_VTABLE_END,
};

static const sd_bus_vtable player_table[] = {
  SD_BUS_VTABLE_START(0),
  SD_BUS_METHOD("Play", "", "", call_command, OPEN),
  SD_BUS_METHOD("Pause", "", "", call_command, OPEN),
  SD_BUS_METHOD("PlayPause", "", "", call_command, OPEN),
  SD_BUS_METHOD("Stop", "", "", call_command, OPEN),
  SD_BUS_METHOD("Next", "", "", call_command, OPEN),
  SD_BUS_METHOD("Previous", "", "", call_command, OPEN),
  SD_BUS_METHOD("Seek", "x", "", call_seek, OPEN),
  SD_BUS_METHOD("SetPosition", "ox", "", call_set_position, OPEN),
  SD_BUS_METHOD("OpenUri", "s", "", call_open, OPEN),
  SD_BUS_SIGNAL("Seeked", "x", 0),
  SD_BUS_PROPERTY("PlaybackStatus", "s", get_fact, 0, CHANGES),
  SD_BUS_PROPERTY("Metadata", "a{sv}", get_fact, 0, CHANGES),
  SD_BUS_PROPERTY("Position", "x", get_fact, 0, 0),
  SD_BUS_WRITABLE_PROPERTY("LoopStatus", "s", get_fact, set_repetition, 0, CHANGES | OPEN),
  SD_BUS_WRITABLE_PROPERTY("Shuffle", "b", get_fact, set_shuffle, 0, CHANGES | OPEN),
  SD_BUS_WRITABLE_PROPERTY("Rate", "d", get_fact, set_rate, 0, CHANGES | OPEN),
  SD_BUS_PROPERTY("MinimumRate", "d", get_fact, 0, CHANGES),
  SD_BUS_PROPERTY("MaximumRate", "d", get_fact, 0, CHANGES),
  SD_BUS_WRITABLE_PROPERTY("Volume", "d", get_fact, set_volume, 0, CHANGES | OPEN),
  SD_BUS_PROPERTY("CanPlay", "b", get_fact, 0, CHANGES),
  SD_BUS_PROPERTY("CanPause", "b", get_fact, 0, CHANGES),
  SD_BUS_PROPERTY("CanGoNext", "b", get_fact, 0, CHANGES),
  SD_BUS_PROPERTY("CanGoPrevious", "b", get_fact, 0, CHANGES),
  SD_BUS_PROPERTY("CanSeek", "b", get_fact, 0, CHANGES),
  SD_BUS_PROPERTY("CanControl", "b", get_yes, 0, FIXED),
  SD_BUS_VTABLE_END,
};

// MARK: - Life

int media_player_open(
  const char *name, const char *identity, media_player_handler handler, void *context,
  media_player **result) {
  media_player *player = calloc(1, sizeof *player);
  if (!player) return -ENOMEM;
  player->handler = handler;
  player->context = context;
  player->identity = strdup(identity);
  player->facts.status = strdup("Stopped");
  pthread_mutex_init(&player->lock, NULL);
  player->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  int status = player->wake < 0 ? -errno : sd_bus_open_user(&player->bus);
  if (status >= 0) {
    status = sd_bus_add_object_vtable(player->bus, NULL, PATH, ROOT, root_table, player);
  }
  if (status >= 0) {
    status = sd_bus_add_object_vtable(player->bus, NULL, PATH, PLAYER, player_table, player);
  }
  char full[256];
  if (status >= 0) {
    int length = snprintf(full, sizeof full, "%s.%s", ROOT, name);
    status = length < (int)sizeof full ? sd_bus_request_name(player->bus, full, 0) : -ENAMETOOLONG;
  }
  if (status < 0) {
    media_player_close(player);
    return status;
  }
  *result = player;
  return 0;
}

static int announce(media_player *player) {
  pthread_mutex_lock(&player->lock);
  bool has_changed = player->has_changed;
  bool has_jumped = player->has_jumped;
  int64_t where = position(player);
  player->has_changed = false;
  player->has_jumped = false;
  pthread_mutex_unlock(&player->lock);
  int status = 0;
  if (has_changed) {
    status = sd_bus_emit_properties_changed(
      player->bus, PATH, PLAYER, "PlaybackStatus", "Metadata", "CanPlay", "CanPause", "CanGoNext",
      "CanGoPrevious", "CanSeek", "Rate", "MinimumRate", "MaximumRate", "LoopStatus", "Shuffle",
      "Volume", NULL);
  }
  if (status >= 0 && has_jumped) {
    status = sd_bus_emit_signal(player->bus, PATH, PLAYER, "Seeked", "x", where);
  }
  return status;
}

static int wait_for_more(media_player *player) {
  struct pollfd fds[2] = {
    {.fd = sd_bus_get_fd(player->bus), .events = (short)sd_bus_get_events(player->bus)},
    {.fd = player->wake, .events = POLLIN},
  };
  uint64_t until;
  int milliseconds = -1;
  if (sd_bus_get_timeout(player->bus, &until) >= 0 && until != UINT64_MAX) {
    int64_t left = (int64_t)until - now_microseconds();
    milliseconds = left > 0 ? (int)(left / 1000 + 1) : 0;
  }
  if (poll(fds, 2, milliseconds) < 0 && errno != EINTR) return -errno;
  uint64_t count;
  if (fds[1].revents & POLLIN) (void)!read(player->wake, &count, sizeof count);
  return 0;
}

int media_player_run(media_player *player) {
  for (;;) {
    pthread_mutex_lock(&player->lock);
    bool is_stopping = player->is_stopping;
    pthread_mutex_unlock(&player->lock);
    if (is_stopping) return 0;
    int status = announce(player);
    if (status >= 0) status = sd_bus_process(player->bus, NULL);
    if (status == 0) status = wait_for_more(player);
    if (status < 0) return status;
  }
}

static void wake(media_player *player) {
  uint64_t one = 1;
  (void)!write(player->wake, &one, sizeof one);
}

static char *copy(const char *text) { return text ? strdup(text) : NULL; }

void media_player_update(media_player *player, const media_player_facts *facts) {
  media_player_facts copied = *facts;
  copied.status = copy(facts->status);
  copied.title = copy(facts->title);
  copied.artist = copy(facts->artist);
  copied.album = copy(facts->album);
  copied.album_artist = copy(facts->album_artist);
  copied.composer = copy(facts->composer);
  copied.genre = copy(facts->genre);
  copied.art_url = copy(facts->art_url);
  pthread_mutex_lock(&player->lock);
  if (copied.position_microseconds < 0) copied.position_microseconds = position(player);
  int64_t jump = position(player) - copied.position_microseconds;
  player->has_jumped = player->has_jumped || jump > 500000 || jump < -500000;
  player->has_changed = true;
  free_facts(&player->facts);
  player->facts = copied;
  player->position_at = now_microseconds();
  pthread_mutex_unlock(&player->lock);
  wake(player);
}

void media_player_stop(media_player *player) {
  pthread_mutex_lock(&player->lock);
  player->is_stopping = true;
  pthread_mutex_unlock(&player->lock);
  wake(player);
}

void media_player_close(media_player *player) {
  sd_bus_flush_close_unref(player->bus);
  if (player->wake >= 0) close(player->wake);
  free_facts(&player->facts);
  free(player->identity);
  pthread_mutex_destroy(&player->lock);
  free(player);
}
