import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'

/** Headers of a request. */
export type TestHeaders = Readonly<Record<string, string>>

/** What a request sends: an object is sent as JSON. */
export type TestPayload = NonNullable<InjectOptions['payload']>

/** Sends requests to the server without a port. */
export interface TestClient {
  /** Same as `inject` of Fastify: a URL, or a request object. */
  readonly inject: (request: string | InjectOptions) => Promise<LightMyRequestResponse>
  readonly get: (url: string, headers?: TestHeaders) => Promise<LightMyRequestResponse>
  readonly delete: (url: string, headers?: TestHeaders) => Promise<LightMyRequestResponse>
  readonly post: (url: string, payload?: TestPayload, headers?: TestHeaders) => Promise<LightMyRequestResponse>
  readonly put: (url: string, payload?: TestPayload, headers?: TestHeaders) => Promise<LightMyRequestResponse>
  readonly patch: (url: string, payload?: TestPayload, headers?: TestHeaders) => Promise<LightMyRequestResponse>
}

/** Makes a client that sends these headers with all requests; those of a request take precedence. */
export function testClient(server: FastifyInstance, always: TestHeaders = {}): TestClient {
  const inject = async (request: string | InjectOptions): Promise<LightMyRequestResponse> => {
    const { headers, ...others } = typeof request === 'string' ? { url: request } : request
    return server.inject({ ...others, headers: { ...always, ...headers } })
  }
  const bare =
    (method: 'GET' | 'DELETE') =>
    async (url: string, headers: TestHeaders = {}): Promise<LightMyRequestResponse> =>
      inject({ method, url, headers })
  const sending =
    (method: 'POST' | 'PUT' | 'PATCH') =>
    async (url: string, payload?: TestPayload, headers: TestHeaders = {}): Promise<LightMyRequestResponse> =>
      inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
  return {
    inject,
    get: bare('GET'),
    delete: bare('DELETE'),
    post: sending('POST'),
    put: sending('PUT'),
    patch: sending('PATCH')
  }
}
