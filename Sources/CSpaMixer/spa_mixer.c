// SPDX-License-Identifier: MIT

#include "CSpaMixer.h"

#include <dlfcn.h>
#include <errno.h>
#include <spa/buffer/buffer.h>
#include <spa/node/io.h>
#include <spa/node/node.h>
#include <spa/param/audio/format-utils.h>
#include <spa/support/cpu.h>
#include <spa/support/loop.h>
#include <spa/support/plugin.h>
#include <spa/utils/names.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_inputs = 128 };

/// The format, the buffer and the results of a port.
typedef struct {
  struct spa_io_buffers io;
  struct spa_buffer buffer;
  struct spa_buffer *list[1];
  struct spa_data data;
  struct spa_chunk chunk;
} Port;

struct SpaMixer {
  void *libraries[2];
  struct spa_handle *processor;
  struct spa_handle *handle;
  struct spa_node *node;
  struct spa_loop loop;
  struct spa_io_position position;
  uint32_t count;
  Port ports[most_inputs + 1];
};

/// The plugin's loop is this thread: a function is called at once.
static int invoke(
    void *object, spa_invoke_func_t function, uint32_t sequence, const void *data, size_t size,
    bool is_blocking, void *user_data) {
  struct SpaMixer *mixer = object;
  return function(&mixer->loop, !is_blocking, sequence, data, size, user_data);
}

static const struct spa_loop_methods loop_methods = {
    .version = SPA_VERSION_LOOP_METHODS,
    .invoke = invoke,
};

/// Makes the object of a factory.
static struct spa_handle *make(
    SpaMixer *mixer, int place, const char *folder, const char *file, const char *name,
    const struct spa_support *support, uint32_t support_count) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, file);
  mixer->libraries[place] = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!mixer->libraries[place]) return NULL;
  const spa_handle_factory_enum_func_t each =
      (spa_handle_factory_enum_func_t)dlsym(
          mixer->libraries[place], SPA_HANDLE_FACTORY_ENUM_FUNC_NAME);
  if (!each) return NULL;
  const struct spa_handle_factory *factory = NULL;
  for (uint32_t index = 0; each(&factory, &index) > 0;) {
    if (strcmp(factory->name, name) != 0) continue;
    struct spa_handle *handle = calloc(1, spa_handle_factory_get_size(factory, NULL));
    if (handle
        && spa_handle_factory_init(factory, handle, NULL, support, support_count) >= 0)
      return handle;
    free(handle);
    return NULL;
  }
  return NULL;
}

/// Gives a port its format, its buffer and its place for results.
static int equip(
    SpaMixer *mixer, enum spa_direction direction, uint32_t id, Port *port, float *samples,
    uint32_t frames) {
  uint8_t room[512];
  struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(room, sizeof room);
  struct spa_audio_info_dsp info = {.format = SPA_AUDIO_FORMAT_DSP_F32};
  const struct spa_pod *format = spa_format_audio_dsp_build(&builder, SPA_PARAM_Format, &info);
  const uint32_t bytes = frames * (uint32_t)sizeof(float);
  port->io = (struct spa_io_buffers){.status = SPA_STATUS_NEED_DATA, .buffer_id = SPA_ID_INVALID};
  port->chunk = (struct spa_chunk){.size = bytes, .stride = sizeof(float)};
  port->data = (struct spa_data){
      .type = SPA_DATA_MemPtr,
      .flags = SPA_DATA_FLAG_READWRITE,
      .fd = -1,
      .maxsize = bytes,
      .data = samples,
      .chunk = &port->chunk,
  };
  port->buffer = (struct spa_buffer){.n_datas = 1, .datas = &port->data};
  port->list[0] = &port->buffer;
  int result = spa_node_port_set_param(mixer->node, direction, id, SPA_PARAM_Format, 0, format);
  if (result >= 0)
    result = spa_node_port_use_buffers(mixer->node, direction, id, 0, port->list, 1);
  if (result >= 0)
    result = spa_node_port_set_io(
        mixer->node, direction, id, SPA_IO_Buffers, &port->io, sizeof port->io);
  return result;
}

/// Adds and starts everything.
static const char *start(
    SpaMixer *mixer, const char *folder, const float *const *inputs, float *output,
    uint32_t frames) {
  mixer->processor =
      make(mixer, 0, folder, "support/libspa-support.so", SPA_NAME_SUPPORT_CPU, NULL, 0);
  if (!mixer->processor) return "libspa-support.so has no usable support.cpu";
  void *processor = NULL;
  if (spa_handle_get_interface(mixer->processor, SPA_TYPE_INTERFACE_CPU, &processor) < 0)
    return "support.cpu has no interface";
  mixer->loop.iface =
      SPA_INTERFACE_INIT(SPA_TYPE_INTERFACE_Loop, SPA_VERSION_LOOP, &loop_methods, mixer);
  const struct spa_support support[] = {
      {SPA_TYPE_INTERFACE_CPU, processor},
      {SPA_TYPE_INTERFACE_DataLoop, &mixer->loop},
  };
  mixer->handle = make(
      mixer, 1, folder, "audiomixer/libspa-audiomixer.so", SPA_NAME_AUDIO_MIXER_DSP, support, 2);
  if (!mixer->handle) return "libspa-audiomixer.so has no usable audio.mixer.dsp";
  void *node = NULL;
  if (spa_handle_get_interface(mixer->handle, SPA_TYPE_INTERFACE_Node, &node) < 0)
    return "audio.mixer.dsp is no node";
  mixer->node = node;
  mixer->position.clock.duration = frames;
  mixer->position.clock.rate = SPA_FRACTION(1, 48000);
  // Versions that do not read it refuse it.
  spa_node_set_io(mixer->node, SPA_IO_Position, &mixer->position, sizeof mixer->position);
  if (equip(mixer, SPA_DIRECTION_OUTPUT, 0, &mixer->ports[most_inputs], output, frames) < 0)
    return "audio.mixer.dsp refused its output";
  for (uint32_t index = 0; index < mixer->count; ++index) {
    if (spa_node_add_port(mixer->node, SPA_DIRECTION_INPUT, index, NULL) < 0
        || equip(
               mixer, SPA_DIRECTION_INPUT, index, &mixer->ports[index], (float *)inputs[index],
               frames)
            < 0)
      return "audio.mixer.dsp refused an input";
  }
  if (spa_node_send_command(mixer->node, &SPA_NODE_COMMAND_INIT(SPA_NODE_COMMAND_Start)) < 0)
    return "audio.mixer.dsp did not start";
  return NULL;
}

SpaMixer *spa_mixer_create(
    const char *folder, const float *const *inputs, uint32_t count, float *output, uint32_t frames,
    const char **fault) {
  *fault = "no memory, or too many inputs";
  SpaMixer *mixer = count <= most_inputs ? calloc(1, sizeof *mixer) : NULL;
  if (!mixer) return NULL;
  mixer->count = count;
  *fault = start(mixer, folder, inputs, output, frames);
  if (!*fault) return mixer;
  spa_mixer_destroy(mixer);
  return NULL;
}

int spa_mixer_process(SpaMixer *mixer) {
  for (uint32_t index = 0; index < mixer->count; ++index) {
    mixer->ports[index].io.status = SPA_STATUS_HAVE_DATA;
    mixer->ports[index].io.buffer_id = 0;
  }
  // The buffer of the cycle before is given back.
  mixer->ports[most_inputs].io.status = SPA_STATUS_NEED_DATA;
  const int result = spa_node_process(mixer->node);
  if (result < 0) return result;
  return result & SPA_STATUS_HAVE_DATA ? 0 : -EIO;
}

void spa_mixer_destroy(SpaMixer *mixer) {
  if (!mixer) return;
  if (mixer->handle) spa_handle_clear(mixer->handle);
  if (mixer->processor) spa_handle_clear(mixer->processor);
  free(mixer->handle);
  free(mixer->processor);
  for (int place = 1; place >= 0; --place)
    if (mixer->libraries[place]) dlclose(mixer->libraries[place]);
  free(mixer);
}
