import { createHash } from 'node:crypto'
import type { LogOrder } from '@modelwire/core/connector'
import { readPosition } from './log-positions.ts'

/** How the positions of a log are ordered. @param readSecret gives the secret that only its processes know */
export function orderOf(readSecret: () => Promise<Buffer>): LogOrder {
  return {
    async identity() {
      const hash = createHash('sha256').update(await readSecret())
      return hash.digest('base64url').slice(0, 16)
    },
    async placeOf(position) {
      const place = readPosition(await readSecret(), position)
      return place && [place.batch, place.id]
    }
  }
}
