import { type AnswerHook, answerHook } from '../answers/answer-hook.ts'

const counted = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const

/**
 * Makes an `onSend` hook that adds `RateLimit-Policy` and `RateLimit` to the answers that @fastify/rate-limit counted, beside its
 * own `x-ratelimit-…`; other answers stay as they are. `timeWindow` is the limit's, in milliseconds.
 * @see draft-ietf-httpapi-ratelimit-headers-10
 */
export function rateLimitFields(timeWindow: number): AnswerHook {
  const seconds = Math.ceil(timeWindow / 1000)
  return answerHook('rate limit fields', (_request, reply) => {
    const [quota, remaining, reset] = counted.map((name) => String(reply.getHeader(name)))
    if (reply.hasHeader(counted[0]))
      void reply
        .header('ratelimit-policy', `"default";q=${quota};w=${seconds}`)
        .header('ratelimit', `"default";r=${remaining};t=${reset}`)
  })
}
