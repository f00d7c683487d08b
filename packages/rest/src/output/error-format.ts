import { cacheByText } from './cache-by-text.ts'
import { preferType } from './prefer-type.ts'

/** How an error is written. */
export type ErrorFormat = 'json' | 'xml' | 'html'

/** Which format an error takes. */
export interface ErrorFormatOptions {
  /** False: always the default. */
  readonly negotiateContentType?: boolean | undefined
  /** For clients whose Accept wants none of the three; `json` when absent. May be a media type. */
  readonly defaultType?: string | undefined
}

const formats: Readonly<Record<string, ErrorFormat>> = {
  json: 'json',
  html: 'html',
  xml: 'xml',
  'application/json': 'json',
  'text/html': 'html',
  'text/xml': 'xml'
}
const offered = ['application/json', 'text/html', 'text/xml', 'application/xml']

/**
 * Compiles the choice of an error's format. The parameter `_format` wins over Accept when it is one of `json`, `html`,
 * `xml` or their media types; everything else in it is ignored.
 * @see LoopBack 3: strong-error-handler, lib/content-negotiation.js; recordings errors/*
 */
export function createErrorFormatter(
  options: ErrorFormatOptions = {}
): (accept: string | undefined, format?: unknown) => ErrorFormat {
  const { negotiateContentType = true, defaultType = 'json' } = options
  const fallback = formatNamed(defaultType) ?? 'json'
  if (!negotiateContentType) return () => fallback
  const byAccept = cacheByText((accept) => acceptedFormat(accept, fallback))
  return (accept, format) => formatNamed(format) ?? (accept === undefined || accept === '' ? 'json' : byAccept(accept))
}

function formatNamed(name: unknown): ErrorFormat | undefined {
  return typeof name === 'string' && Object.hasOwn(formats, name) ? formats[name] : undefined
}

function acceptedFormat(accept: string, fallback: ErrorFormat): ErrorFormat {
  const type = preferType(accept, offered)
  if (type === undefined) return fallback
  return type === 'application/xml' ? 'xml' : (formatNamed(type) ?? fallback)
}
