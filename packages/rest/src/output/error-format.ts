import type { ErrorSettings } from '../options.ts'
import { cacheByText } from './write-any-json.ts'
import { namesType, preferType } from './prefer-type.ts'

/** The format of an error. */
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
 * Compiles the choice of an error's format. The parameter `_format` takes precedence over Accept if it is one of `json`,
 * `html`, `xml` or their media types; anything else in it is ignored. A client that names `application/problem+json` gets
 * problem details, whatever else it accepts.
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

/** True where a client names problem details in Accept, whatever else it names. */
export const wantsProblems = (accept: string | undefined): boolean =>
  accept !== undefined && namesType(accept, problemType)

function acceptedFormat(accept: string, fallback: ErrorFormat): ErrorFormat {
  if (wantsProblems(accept)) return 'problem'
  const type = preferType(accept, offered)
  if (type === undefined) return fallback
  return type === 'application/xml' ? 'xml' : (formatNamed(type) ?? fallback)
}
