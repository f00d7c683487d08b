/** The part of a server that is needed to send requests without a port. */
interface Server {
  readonly inject: (request: {
    method: 'GET'
    url: string
    headers: Record<string, string>
    payload?: string
  }) => PromiseLike<{ statusCode: number; body: string; headers: Readonly<Record<string, unknown>> }>
}

const bodiless = new Set([204, 304])

/** A `fetch` that sends requests to a server without a port. */
export function injectFetch(server: Server): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname, search } = new URL(request.url)
    const payload = request.body === null ? undefined : await request.text()
    const { statusCode, body, headers } = await server.inject({
      // The server knows all verbs; its type names one.
      method: request.method as 'GET',
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      ...(payload === undefined ? {} : { payload })
    })
    const type = headers['content-type']
    return new Response(bodiless.has(statusCode) ? null : body, {
      status: statusCode,
      ...(typeof type === 'string' ? { headers: { 'content-type': type } } : {})
    })
  }
}
