import type { Connector, ConnectorChangeLog, ModelType } from '@modelwire/core/connector'

/** Counts how often the log of a connector is read. */
export function countReads(connector: Connector): { readonly count: () => number } {
  let reads = 0
  const open = connector.changeLog?.bind(connector)
  if (open === undefined) throw new TypeError('the connector keeps no log')
  connector.changeLog = (models: readonly ModelType[]): ConnectorChangeLog => {
    const log = open(models)
    const read: ConnectorChangeLog['read'] = async (after, limit) => {
      reads += 1
      return log.read(after, limit)
    }
    return { ...log, read }
  }
  return { count: () => reads }
}
