/** A client that says whether it has a connection, such as that of Redis. */
export interface ConnectingClient {
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'ready', listener: () => void): unknown
}

/**
 * Makes the function that gives why a client has no connection; undefined while it has one. The errors of its commands name options of
 * the client then.
 */
export function whyUnreachable(client: ConnectingClient): () => Error | undefined {
  let failure: Error | undefined
  client.on('error', (error) => {
    failure = error
  })
  client.on('ready', () => {
    failure = undefined
  })
  return () => failure
}
