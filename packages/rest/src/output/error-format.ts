import type { ErrorSettings } from '../options.ts'
import { cacheByText } from './cache-by-text.ts'
import { namesType, preferType } from './prefer-type.ts'

/** How an error is written. */
export type ErrorFormat = 'json' | 'xml' | 'html' | 'problem'

const formats: Readonly<Record<string, ErrorFormat>> = {
  json: 'json',
  html: 'html',
  xml: 'xml',
  'application/json': 'json',
  'text/html': 'html',
  'text/xml': 'xml'
}
const offered = ['application/json', 'text/html', 'text/xml', 'application/xml']
/** The media type of RFC 9457. */
export const problemType = 'application/problem+json'

/**
 * Compiles the choice of an error's format. The parameter `_format` wins over Accept when it is one of `json`, `html`,
 * `xml` or their media types; everything else in it is ignored. A client that names `application/problem+json` gets problem details,
 * whatever else it accepts.
 * @see LoopBack 3: strong-error-handler, lib/content-negotiation.js; recordings errors/*
 */
export function createErrorFormatter({
  negotiateContentType,
  defaultType
}: Pick<ErrorSettings, 'negotiateContentType' | 'defaultType'>): (
  accept: string | undefined,
  format?: unknown
) => ErrorFormat {
  const fallback = formatNamed(defaultType) ?? 'json'
  if (!negotiateContentType) return () => fallback
  const byAccept = cacheByText((accept) => acceptedFormat(accept, fallback))
  return (accept, format) => formatNamed(format) ?? (accept === undefined || accept === '' ? 'json' : byAccept(accept))
}

function formatNamed(name: unknown): ErrorFormat | undefined {
  return typeof name === 'string' && Object.hasOwn(formats, name) ? formats[name] : undefined
}

function acceptedFormat(accept: string, fallback: ErrorFormat): ErrorFormat {
  if (namesType(accept, problemType)) return 'problem'
  const type = preferType(accept, offered)
  if (type === undefined) return fallback
  return type === 'application/xml' ? 'xml' : (formatNamed(type) ?? fallback)
}
