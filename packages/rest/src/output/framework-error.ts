/** An error of Fastify in LoopBack 3's form. */
export interface FrameworkError {
  readonly statusCode: number
  readonly name: string
  readonly message: string
  readonly code: string
  /** Errors of LoopBack's own parsers and router have both statuses. */
  readonly status: number
  readonly stack?: string | undefined
}

const names: Readonly<Record<string, readonly [statusCode: number, name: string]>> = {
  FST_ERR_BAD_URL: [400, 'URIError'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'PayloadTooLargeError'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'UnsupportedMediaTypeError'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'BadRequestError'],
  FST_ERR_MAX_PARAM_LENGTH: [414, 'Error']
}

/** Codes of Fastify for what has a code here as well. */
export const ownCodes: ReadonlyMap<unknown, string> = new Map([['FST_ERR_CTP_BODY_TOO_LARGE', 'PAYLOAD_TOO_LARGE']])

/**
 * What `thrown` means when Fastify made it because of the request; undefined for every other error, those of Fastify
 * about the application's code included.
 */
export function frameworkError(thrown: unknown): FrameworkError | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown) || typeof thrown.code !== 'string') return undefined
  const { code } = thrown
  if (!code.startsWith('FST_ERR_')) return undefined
  // Reading the stack writes it, which costs more than the rest of the answer.
  const { message, stack } = thrown
  const own = 'statusCode' in thrown && typeof thrown.statusCode === 'number' ? thrown.statusCode : 500
  const [statusCode, name] = names[code] ?? [own, 'Error']
  return statusCode < 500 ? { statusCode, name, message, code, status: statusCode, stack } : undefined
}
