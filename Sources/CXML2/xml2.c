// SPDX-License-Identifier: MIT
// libxml2, loaded with the first XML file: with its tables of letters it would take a tenth of the time of short commands.
#include "CXML2.h"

#include <libxml/xmlerror.h>
#include <libxml/xmlreader.h>
#include <libxml/xmlwriter.h>

#include "late_library.h"

_Static_assert(
  CXML2_READER_OPTIONS
    == (XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_BIG_LINES),
  "the options are those of libxml2");
_Static_assert(
  CXML2_ELEMENT == XML_READER_TYPE_ELEMENT && CXML2_TEXT == XML_READER_TYPE_TEXT
    && CXML2_CDATA == XML_READER_TYPE_CDATA && CXML2_WHITESPACE == XML_READER_TYPE_WHITESPACE
    && CXML2_SIGNIFICANT_WHITESPACE == XML_READER_TYPE_SIGNIFICANT_WHITESPACE
    && CXML2_END_ELEMENT == XML_READER_TYPE_END_ELEMENT,
  "the parts are those of libxml2");

// Only commands that read or write such files come here: without the library they end as programs do that need it at their start.
#define XML_FUNCTION(result, name, parameters, arguments)                                          \
  LATE("libxml2.so.2", late_give_up(), result, name, parameters, arguments)

XML_FUNCTION(xmlErrorPtr, xmlGetLastError, (void), ())

const char *cxml2_last_message(void) {
  xmlErrorPtr error = xmlGetLastError();
  return error ? error->message : NULL;
}

int cxml2_last_line(void) {
  xmlErrorPtr error = xmlGetLastError();
  return error ? error->line : 0;
}

XML_FUNCTION(void, xmlResetLastError, (void), ())

XML_FUNCTION(
  xmlTextReaderPtr, xmlReaderForMemory,
  (const char *text, int size, const char *url, const char *encoding, int options),
  (text, size, url, encoding, options))
XML_FUNCTION(void, xmlFreeTextReader, (xmlTextReaderPtr reader), (reader))
XML_FUNCTION(int, xmlTextReaderRead, (xmlTextReaderPtr reader), (reader))
XML_FUNCTION(int, xmlTextReaderNodeType, (xmlTextReaderPtr reader), (reader))
XML_FUNCTION(int, xmlTextReaderIsEmptyElement, (xmlTextReaderPtr reader), (reader))
XML_FUNCTION(int, xmlTextReaderMoveToNextAttribute, (xmlTextReaderPtr reader), (reader))
XML_FUNCTION(const xmlChar *, xmlTextReaderConstName, (xmlTextReaderPtr reader), (reader))
XML_FUNCTION(const xmlChar *, xmlTextReaderConstValue, (xmlTextReaderPtr reader), (reader))
XML_FUNCTION(xmlNodePtr, xmlTextReaderCurrentNode, (xmlTextReaderPtr reader), (reader))
XML_FUNCTION(long, xmlGetLineNo, (const xmlNode *node), (node))

XML_FUNCTION(xmlBufferPtr, xmlBufferCreate, (void), ())
XML_FUNCTION(void, xmlBufferFree, (xmlBufferPtr buffer), (buffer))
XML_FUNCTION(const xmlChar *, xmlBufferContent, (const xmlBuffer *buffer), (buffer))
XML_FUNCTION(
  xmlTextWriterPtr, xmlNewTextWriterMemory, (xmlBufferPtr buffer, int compression),
  (buffer, compression))
XML_FUNCTION(void, xmlFreeTextWriter, (xmlTextWriterPtr writer), (writer))
XML_FUNCTION(int, xmlTextWriterSetIndent, (xmlTextWriterPtr writer, int indent), (writer, indent))
XML_FUNCTION(
  int, xmlTextWriterSetIndentString, (xmlTextWriterPtr writer, const xmlChar *text), (writer, text))
XML_FUNCTION(
  int, xmlTextWriterStartDocument,
  (xmlTextWriterPtr writer, const char *version, const char *encoding, const char *standalone),
  (writer, version, encoding, standalone))
XML_FUNCTION(int, xmlTextWriterEndDocument, (xmlTextWriterPtr writer), (writer))
XML_FUNCTION(
  int, xmlTextWriterStartDTD,
  (xmlTextWriterPtr writer, const xmlChar *name, const xmlChar *pubid, const xmlChar *sysid),
  (writer, name, pubid, sysid))
XML_FUNCTION(int, xmlTextWriterEndDTD, (xmlTextWriterPtr writer), (writer))
XML_FUNCTION(
  int, xmlTextWriterStartElement, (xmlTextWriterPtr writer, const xmlChar *name), (writer, name))
XML_FUNCTION(int, xmlTextWriterEndElement, (xmlTextWriterPtr writer), (writer))
XML_FUNCTION(
  int, xmlTextWriterWriteAttribute,
  (xmlTextWriterPtr writer, const xmlChar *name, const xmlChar *value), (writer, name, value))
XML_FUNCTION(
  int, xmlTextWriterWriteString, (xmlTextWriterPtr writer, const xmlChar *text), (writer, text))
XML_FUNCTION(int, xmlTextWriterFlush, (xmlTextWriterPtr writer), (writer))
