import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { AnswerBounds } from '@modelwire/core/connector'
import { type CompiledOperation, PartedRecords } from '@modelwire/core/plugin'
import { countParts } from '../output/answer-size.ts'
import { unsniffed } from '../output/reply-headers.ts'
import { negotiated } from '../output/send-result.ts'
import type { Serializers } from '../output/serialize-value.ts'
import { isInner } from '../http-context.ts'
import type { Layer } from './layer.ts'

/** Answers within these bounds are written whole: one that is larger gets an error, which a part that is sent rules out. */
export const wholeAnswers = { rows: 100_000, bytes: 128 * 1024 * 1024 }

const exceedsWhole = ({ rows, bytes }: AnswerBounds): boolean => rows > wholeAnswers.rows && bytes > wholeAnswers.bytes

/** True for lists whose records nothing but their text looks at. Those below a related record belong to it while it is called. */
function isList({ operation: { effect }, isPlain, plainResult }: CompiledOperation): boolean {
  return isPlain && plainResult && effect.verb === 'find' && effect.subject === 'set' && effect.via === undefined
}

/** The bytes of a JSON list, a part at a time. Other requests are served in between. */
async function* writeParts(
  parts: PartedRecords,
  serializers: Serializers,
  bounds: AnswerBounds
): AsyncGenerator<Buffer> {
  const count = countParts(bounds)
  let separator = '['
  for await (const part of parts) {
    // That of a list is in brackets.
    const text = (await serializers.toJsonInParts(part, bounds)) ?? '[]'
    const bytes = Buffer.from(separator + text.slice(1, -1))
    count(part, bytes.length)
    separator = ','
    yield bytes
    await setImmediate()
  }
  yield Buffer.from(']')
}

/**
 * Long lists, read and written part by part where answers are allowed to be so large that they should not be held in memory.
 * A client that reads slowly holds back the database. What fails once the first part is sent ends the connection.
 */
export const parts: Layer = {
  mount: (mounting) => {
    const { bounds, settings, serializers } = mounting
    // The entity tag of a list is that of its whole text.
    if (!exceedsWhole(bounds) || settings.listETags) return undefined
    return {
      claim: (call) =>
        isList(call)
          ? {
              begin(request, context) {
                context.inParts =
                  request.method === 'GET' && !isInner(request) && negotiated(request, mounting).kind === 'json'
              },
              beforeWriting({ reply, contentType, context: { result } }) {
                if (!(result instanceof PartedRecords)) return false
                const text = Readable.from(writeParts(result, serializers, bounds), { highWaterMark: 1 })
                // A hook may send something else in its place.
                for (const end of [text, reply.raw]) end.once('close', () => void result.close())
                void unsniffed(reply).header('content-type', contentType).send(text)
                return true
              }
            }
          : undefined
    }
  }
}
