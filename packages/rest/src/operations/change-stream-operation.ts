import type { OperationContext } from '@modelwire/core'
import { argument, describePredefined, type MakeOperation, openChangeStream } from '@modelwire/core/plugin'
import { HttpContext } from '../http-context.ts'

/** Where a client that lost its connection was: the id of the last event that it saw. */
function lastEventId(context: OperationContext): string | undefined {
  if (!(context instanceof HttpContext)) return undefined
  const id = context.req.headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : undefined
}

/**
 * Opens a stream of a model's changes.
 * @see recordings streams/*; the header Last-Event-ID is that of HTML, section 9.2 (server-sent events)
 */
const createChangeStream: MakeOperation = (model) =>
  describePredefined(model, 'createChangeStream', {
    accepts: [
      argument('options', 'any', { kind: 'object' }, { description: 'where: which records; fields: what of them' })
    ],
    returns: { name: 'changes', root: false, type: { kind: 'stream' } },
    endpoints: [
      ['POST', '/change-stream'],
      ['GET', '/change-stream']
    ],
    description: 'Follow the changes of records',
    needs: ['find'],
    loopbackText: { summary: 'Create a change stream.', answer: { type: 'file' } },
    invoke: async (context) => openChangeStream(model, context.args['options'], context, lastEventId(context))
  })

/** The operations that stream changes. */
export const changeStreamOperations: readonly MakeOperation[] = [createChangeStream]
