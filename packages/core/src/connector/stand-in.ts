import { AsyncLocalStorage } from 'node:async_hooks'
import type { Connector } from '../contract/connector.ts'

/** Gives the connector of a data source that is added, in place of its own. */
export type ChooseConnector = (dataSource: string, own: Connector) => Connector

// What builds an application may be far from what adds its data sources; it holds nothing between two of them.
const choices = new AsyncLocalStorage<ChooseConnector>()

/** Runs `work`: all data sources that it adds, to whichever registry, get the connectors that `choose` gives. For tests. */
export const withConnectors = <Result>(choose: ChooseConnector, work: () => Result): Result => choices.run(choose, work)

/** The connector that a data source gets: its own, unless `withConnectors` gives another one. */
export const connectorFor: ChooseConnector = (dataSource, own) => choices.getStore()?.(dataSource, own) ?? own
