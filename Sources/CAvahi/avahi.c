// SPDX-License-Identifier: MIT
// libavahi-client, loaded with the first announcement: only hosts with a web or OSC surface make one.
#include "CAvahi.h"
#include "late_library.h"

#define CLIENT(missing, result, name, parameters, arguments)                                       \
  LATE("libavahi-client.so.3", missing, result, name, parameters, arguments)
#define COMMON(missing, result, name, parameters, arguments)                                       \
  LATE("libavahi-common.so.3", missing, result, name, parameters, arguments)

// Without the libraries there is no loop, so nothing else is reached but the words for it.
COMMON(return NULL, AvahiSimplePoll *, avahi_simple_poll_new, (void), ())
COMMON(return late_reason(), const char *, avahi_strerror, (int error), (error))

COMMON(late_give_up(), void, avahi_simple_poll_free, (AvahiSimplePoll * loop), (loop))
COMMON(late_give_up(), const AvahiPoll *, avahi_simple_poll_get, (AvahiSimplePoll * loop), (loop))
COMMON(
  late_give_up(), int, avahi_simple_poll_iterate, (AvahiSimplePoll * loop, int milliseconds),
  (loop, milliseconds))
COMMON(late_give_up(), void, avahi_simple_poll_quit, (AvahiSimplePoll * loop), (loop))
COMMON(late_give_up(), char *, avahi_alternative_service_name, (const char *name), (name))
COMMON(late_give_up(), void, avahi_free, (void *memory), (memory))
COMMON(
  late_give_up(), AvahiStringList *, avahi_string_list_add,
  (AvahiStringList * list, const char *text), (list, text))
COMMON(late_give_up(), void, avahi_string_list_free, (AvahiStringList * list), (list))

CLIENT(
  late_give_up(), AvahiClient *, avahi_client_new,
  (const AvahiPoll *poll, AvahiClientFlags flags, AvahiClientCallback call, void *context, int *error),
  (poll, flags, call, context, error))
CLIENT(late_give_up(), void, avahi_client_free, (AvahiClient * client), (client))
CLIENT(late_give_up(), int, avahi_client_errno, (AvahiClient * client), (client))
CLIENT(
  late_give_up(), const char *, avahi_client_get_host_name_fqdn, (AvahiClient * client), (client))
CLIENT(
  late_give_up(), AvahiEntryGroup *, avahi_entry_group_new,
  (AvahiClient * client, AvahiEntryGroupCallback call, void *context), (client, call, context))
CLIENT(late_give_up(), int, avahi_entry_group_commit, (AvahiEntryGroup * group), (group))
CLIENT(late_give_up(), int, avahi_entry_group_reset, (AvahiEntryGroup * group), (group))
CLIENT(late_give_up(), int, avahi_entry_group_is_empty, (AvahiEntryGroup * group), (group))
CLIENT(
  late_give_up(), AvahiClient *, avahi_entry_group_get_client, (AvahiEntryGroup * group), (group))
CLIENT(
  late_give_up(), int, avahi_entry_group_add_service_strlst,
  (AvahiEntryGroup * group, AvahiIfIndex interface, AvahiProtocol protocol, AvahiPublishFlags flags,
   const char *name, const char *type, const char *domain, const char *host, uint16_t port,
   AvahiStringList *text),
  (group, interface, protocol, flags, name, type, domain, host, port, text))
