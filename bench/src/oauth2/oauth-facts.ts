/** What clients need to know of an authorization server of the benchmark. */
export interface OAuthFacts {
  readonly tokenPath: string
  readonly introspectPath: string
  /** Header of the client. */
  readonly authorization: string
}

/** The client of both servers. Signs that need no encoding, so that both send the same bytes. */
export const client = { id: 'benchclient', secret: 'secretofthebenchmarkclient1234567890' } as const

/** The header of the client. */
export const authorization = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`

/** The resource that JWTs are asked for. */
export const resource = 'https://api.example'

/** Seconds that tokens live, in both servers. */
export const lifetime = 600
