import type { OperationContext } from '@modelwire/core'
import { repository, withPage, callArguments, callReturns } from '@modelwire/core/plugin'
import { describePredefined, idArgument, type MakeOperation } from './describe-predefined.ts'
import * as words from './loopback-words.ts'

const isEmpty = ({ result }: OperationContext): boolean => result === undefined || result === null

/**
 * True for HEAD on a record that does not exist, be it on the way of GET. LB3: an answer that a hook wraps does not
 * imply that it exists.
 */
function headFoundNothing({ endpoint, result, isHead }: OperationContext): boolean {
  if (!(isHead || endpoint?.verb === 'HEAD') || typeof result !== 'object' || result === null) return false
  return !('exists' in result) || !result.exists
}

const exists: MakeOperation = (model) =>
  describePredefined(model, 'exists', {
    accepts: [idArgument, callArguments.options],
    returns: callReturns.named('exists', 'boolean'),
    endpoints: [
      ['GET', '/:id/exists'],
      ['HEAD', '/:id']
    ],
    description: 'Check whether a record exists',
    needs: ['count'],
    loopbackText: { summary: 'Check whether a model instance exists in the data source.', arguments: { id: words.id } },
    foundNothing: headFoundNothing,
    invoke: (context) => repository.exists(model, context.args['id'], context)
  })

/** LB3: hooks see null where there is no record. */
const orNull = <Found>(found: Found): NonNullable<Found> | null => found ?? null

const findById: MakeOperation = (model) =>
  describePredefined(model, 'findById', {
    accepts: [idArgument, callArguments.filter, callArguments.options],
    returns: callReturns.record(model),
    endpoints: [['GET', '/:id']],
    description: 'Find a record by its id',
    needs: ['find'],
    loopbackText: {
      summary: 'Find a model instance by {{id}} from the data source.',
      arguments: {
        id: words.id,
        filter: 'Filter defining fields and include - must be a JSON-encoded string ({"something":"value"})'
      }
    },
    foundNothing: isEmpty,
    invoke: async (context) => {
      const { id, filter } = context.args
      return orNull(await repository.findByIdForResponse(model, id, filter, context))
    }
  })

const find: MakeOperation = (model) =>
  describePredefined(model, 'find', {
    accepts: [callArguments.filter, callArguments.options],
    returns: callReturns.record(model, true),
    endpoints: [['GET', '/']],
    description: 'Find all records that match a filter',
    needs: ['find'],
    loopbackText: {
      summary: 'Find all instances of the model matched by filter from the data source.',
      arguments: { filter: words.filter }
    },
    invoke: (context) => {
      const { args, wantsInstances } = context
      // LB3: hooks after the method find the page that was read in its filter.
      if (wantsInstances && model.registry.rules.showsPageToHooks) args['filter'] = withPage(model, args['filter'])
      return repository.findForResponse(model, args['filter'], context)
    }
  })

const findOne: MakeOperation = (model) =>
  describePredefined(model, 'findOne', {
    accepts: [callArguments.filter, callArguments.options],
    returns: callReturns.record(model),
    endpoints: [['GET', '/findOne']],
    description: 'Find the first record that matches a filter',
    needs: ['find'],
    loopbackText: {
      summary: 'Find first instance of the model matched by filter from the data source.',
      arguments: { filter: words.filter }
    },
    foundNothing: isEmpty,
    invoke: async (context) => orNull(await repository.findOneForResponse(model, context.args['filter'], context))
  })

const count: MakeOperation = (model) =>
  describePredefined(model, 'count', {
    accepts: [callArguments.where, callArguments.options],
    returns: callReturns.named('count', 'number'),
    endpoints: [['GET', '/count']],
    description: 'Count the records that match',
    needs: ['count'],
    loopbackText: {
      summary: 'Count instances of the model matched by where from the data source.',
      arguments: { where: words.where }
    },
    invoke: (context) => repository.count(model, context.args['where'], context)
  })

/** The operations that read. */
export const readOperations: readonly MakeOperation[] = [exists, findById, find, findOne, count]
