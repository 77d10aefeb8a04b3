/* SPDX-License-Identifier: MIT */

#ifndef MULTIROUTE_SESSION_H
#define MULTIROUTE_SESSION_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The audio session of this process, for programs in C and other languages that call C. Link with -lmultiroute-session.
 *
 * Every function may be called from any thread except an audio thread. A call waits for the host for a limited time
 * ($MULTIROUTE_TIMEOUT, 5 s) and returns 0 or the number of an AVAudioSession.ErrorCode; mr_session_last_error then gives
 * this thread the reason. In a process that was forked from one that has called one of them they return an error, 0 or an
 * empty text at once, and the parent's session stays as it is; a program that is started with exec has a session of its own.
 * With $MULTIROUTE_BACKGROUND=suspend, a call that is made in the background waits until the program returns to the
 * foreground. */

/* The bits of AVAudioSession.CategoryOptions. */
enum {
  MR_MIX_WITH_OTHERS = 0x1,
  MR_DUCK_OTHERS = 0x2,
  MR_ALLOW_BLUETOOTH_HFP = 0x4,
  MR_DEFAULT_TO_SPEAKER = 0x8,
  MR_INTERRUPT_SPOKEN_AUDIO_AND_MIX_WITH_OTHERS = 0x11,
  MR_ALLOW_BLUETOOTH_A2DP = 0x20,
  MR_ALLOW_AIRPLAY = 0x40,
  MR_OVERRIDE_MUTED_MICROPHONE_INTERRUPTION = 0x80,
};

/* The events of the session. */
enum {
  MR_INTERRUPTION_BEGAN = 1,      /* detail: AVAudioSession.InterruptionReason */
  MR_INTERRUPTION_ENDED = 2,      /* detail: 1 when the program should resume */
  MR_ROUTE_CHANGED = 3,           /* detail: AVAudioSession.RouteChangeReason */
  MR_MEDIA_SERVICES_LOST = 4,     /* the host or its server ended: the session is void */
  MR_MEDIA_SERVICES_RESET = 5,    /* set up and activate again */
  MR_SILENCE_SECONDARY_AUDIO = 6, /* detail: 1 begins, 0 ends */
};

/* Called for each event, on a thread of the session. */
typedef void (*mr_session_callback)(int32_t event, int64_t detail, void *user);

/* Sets category, mode and options in one call.
 * Names as in Swift: "playback", "voiceChat"; mode NULL is "default". */
int32_t mr_session_set_category(const char *category, const char *mode, uint32_t options);

/* Sets the preferred sample rate in Hz and I/O buffer in seconds from the next activation on; 0 withdraws a preference, a
 * negative value leaves it unchanged. */
int32_t mr_session_set_preferred(double sample_rate_hz, double io_buffer_seconds);

/* Routes output ports of the program's own JACK client through the session's strip. ports is a full name or a glob such as
 * "synth:out_*", or NULL to remove them; they are distributed over 1 to 64 channels. */
int32_t mr_session_set_ports(const char *ports, int32_t channels);

/* Makes the session active or inactive; with notify_others, the sessions that it interrupted may resume. */
int32_t mr_session_activate(void);
int32_t mr_session_deactivate(int32_t notify_others);

/* The actual values: 1 or 0; Hz; seconds; volume linear, 0 to 1. 0 if unknown. */
int32_t mr_session_is_active(void);
double mr_session_sample_rate(void);
double mr_session_io_buffer_seconds(void);
double mr_session_input_latency_seconds(void);
double mr_session_output_latency_seconds(void);
double mr_session_output_volume(void);

/* The route: one line for each port, "output<TAB>Headphones<TAB>phones<TAB>2" (direction, type, uid, channels).
 * Writes at most size bytes with the final 0, and returns the length of the whole text without it. */
size_t mr_session_route(char *text, size_t size);

/* For a volume slider and a route picker: what the user does there. The volume is linear, 0 to 1. A route is one of mr_session_routes,
 * by its uid; NULL lets the rules choose again. The choice holds until the route goes. */
int32_t mr_session_set_output_volume(double volume);
int32_t mr_session_choose_route(const char *uid);

/* The outputs that may be chosen, one line each: "phones<TAB>My headphones<TAB>Headphones<TAB>1<TAB>0" (uid, name, type, whether it is in
 * use, whether the user has chosen it). Size and result as for mr_session_route. */
size_t mr_session_routes(char *text, size_t size);

/* The reason why the last call of this thread failed, as one sentence; size and result as for mr_session_route. */
size_t mr_session_last_error(char *text, size_t size);

/* Sets the callback for events; NULL removes it. */
void mr_session_set_callback(mr_session_callback callback, void *user);

#ifdef __cplusplus
}
#endif

#endif
