// SPDX-License-Identifier: MIT
#pragma once

// The part of libxml2 that is used, without its headers: they lie in a folder that every importer would have to name.
// xml2.c holds each declaration against them.

typedef unsigned char xmlChar;
typedef struct _xmlTextReader *xmlTextReaderPtr;
typedef struct _xmlTextWriter *xmlTextWriterPtr;
typedef struct _xmlBuffer *xmlBufferPtr;
typedef struct _xmlNode *xmlNodePtr;

/// The options of xmlReaderForMemory(): no network, no words on standard error, and lines beyond 65,535.
enum { CXML2_READER_OPTIONS = 1 << 11 | 1 << 5 | 1 << 6 | 1 << 22 };

/// The parts of a file, as xmlTextReaderNodeType() tells them.
enum {
  CXML2_ELEMENT = 1,
  CXML2_TEXT = 3,
  CXML2_CDATA = 4,
  CXML2_WHITESPACE = 13,
  CXML2_SIGNIFICANT_WHITESPACE = 14,
  CXML2_END_ELEMENT = 15,
};

/// The message of the thread's last fault; NULL without one.
const char *cxml2_last_message(void);
/// The line of the thread's last fault, counted from 1; 0 without one.
int cxml2_last_line(void);
void xmlResetLastError(void);

xmlTextReaderPtr xmlReaderForMemory(
  const char *text, int size, const char *url, const char *encoding, int options);
void xmlFreeTextReader(xmlTextReaderPtr reader);
int xmlTextReaderRead(xmlTextReaderPtr reader);
int xmlTextReaderNodeType(xmlTextReaderPtr reader);
int xmlTextReaderIsEmptyElement(xmlTextReaderPtr reader);
int xmlTextReaderMoveToNextAttribute(xmlTextReaderPtr reader);
const xmlChar *xmlTextReaderConstName(xmlTextReaderPtr reader);
const xmlChar *xmlTextReaderConstValue(xmlTextReaderPtr reader);
xmlNodePtr xmlTextReaderCurrentNode(xmlTextReaderPtr reader);
long xmlGetLineNo(const struct _xmlNode *node);

xmlBufferPtr xmlBufferCreate(void);
void xmlBufferFree(xmlBufferPtr buffer);
const xmlChar *xmlBufferContent(const struct _xmlBuffer *buffer);
xmlTextWriterPtr xmlNewTextWriterMemory(xmlBufferPtr buffer, int compression);
void xmlFreeTextWriter(xmlTextWriterPtr writer);
int xmlTextWriterSetIndent(xmlTextWriterPtr writer, int indent);
int xmlTextWriterSetIndentString(xmlTextWriterPtr writer, const xmlChar *text);
int xmlTextWriterStartDocument(
  xmlTextWriterPtr writer, const char *version, const char *encoding, const char *standalone);
int xmlTextWriterEndDocument(xmlTextWriterPtr writer);
int xmlTextWriterStartDTD(
  xmlTextWriterPtr writer, const xmlChar *name, const xmlChar *pubid, const xmlChar *sysid);
int xmlTextWriterEndDTD(xmlTextWriterPtr writer);
int xmlTextWriterStartElement(xmlTextWriterPtr writer, const xmlChar *name);
int xmlTextWriterEndElement(xmlTextWriterPtr writer);
int xmlTextWriterWriteAttribute(xmlTextWriterPtr writer, const xmlChar *name, const xmlChar *value);
int xmlTextWriterWriteString(xmlTextWriterPtr writer, const xmlChar *text);
int xmlTextWriterFlush(xmlTextWriterPtr writer);
