// SPDX-License-Identifier: MIT
//
// PipeWire's own mixer, loaded from its plugin: what it runs where several streams meet at a port.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// A mixer with a number of inputs and one output.
typedef struct SpaMixer SpaMixer;

/// Loads the mixer from `folder`, such as `/usr/lib/x86_64-linux-gnu/spa-0.2`.
///
/// Inputs and output have `frames` samples each, and stay the caller's. Null, with a reason in `fault`, if the plugins are
/// missing or refuse. [control-thread]
SpaMixer *spa_mixer_create(
    const char *folder, const float *const *inputs, uint32_t count, float *output, uint32_t frames,
    const char **fault);

/// Mixes one cycle. Returns 0, or a negative error of the plugin. [control-thread]
int spa_mixer_process(SpaMixer *mixer);

/// Unloads the mixer; null is allowed. [control-thread]
void spa_mixer_destroy(SpaMixer *mixer);
