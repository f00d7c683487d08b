import { Agent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as SecureAgent, request as requestHttps } from 'node:https'
import { answerTo, publicLookup, readBounded } from '@modelwire/server'
import { type AddressRules, checkAddress, isTrustedHost } from '../endpoints/check-address.ts'

/** The request to send. */
export interface Post {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The response of an endpoint; its body is ignored. */
export interface PostAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
}

/** Sends messages over persistent connections. */
export interface Poster {
  /**
   * Sends one message. Redirects are not followed.
   * @throws {WebhookAddressRefused} it is not sent to this address
   * @throws {AddressRefused} the name of the host leads to a private address
   * @throws {Error} the endpoint is unreachable, or does not answer in time
   */
  readonly post: (post: Post) => Promise<PostAnswer>
  readonly close: () => void
}

/** Bytes of an answer that are read, so that its connection can be used again. */
const most = 16_384

/** Reads a short body to its end, and gives a longer one up. */
async function drain(answer: IncomingMessage): Promise<void> {
  try {
    await readBounded(answer, most)
  } catch {
    // The status has arrived: what is wrong with the body does not matter.
  } finally {
    if (!answer.complete) answer.destroy()
  }
}

/**
 * Makes the function that posts messages.
 * @param timeout seconds for all of an exchange
 */
export function createPoster(rules: AddressRules, timeout: number): Poster {
  const lookup = publicLookup(rules.lookup)
  // A connection that is kept open leads to the address that was checked when it was opened.
  const keeping = { keepAlive: true, maxFreeSockets: 64 } as const
  const trusted = [new Agent(keeping), new SecureAgent(keeping)] as const
  const checked = [new Agent({ ...keeping, lookup }), new SecureAgent({ ...keeping, lookup })] as const
  return {
    async post({ address, headers, body }) {
      const url = checkAddress(address, rules)
      const isSecure = url.protocol === 'https:'
      const agents = isTrustedHost(url, rules) ? trusted : checked
      const options = {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        agent: agents[isSecure ? 1 : 0],
        signal: AbortSignal.timeout(timeout * 1000)
      }
      const answer = await answerTo((isSecure ? requestHttps : requestHttp)(url, options).end(body))
      await drain(answer)
      return { status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] }
    },
    close: () => {
      for (const agent of [...trusted, ...checked]) agent.destroy()
    }
  }
}
