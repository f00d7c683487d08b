import type { PageLinks } from './records.ts'

/** Cursors of the pages adjacent to the visible one, for recently read lists. */
export interface VisitedPages {
  /** The query of a page of a list; undefined if the user does not come from an adjacent page. */
  readonly find: (list: string, page: number) => string | undefined
  /** Stores the queries of a page that was read, and of its adjacent ones, replacing those of the list. */
  readonly keep: (list: string, page: number, query: string | undefined, links: PageLinks | undefined) => void
}

const maxLists = 50

/** Makes an empty store. The least recently read lists are dropped. */
export function visitedPages(): VisitedPages {
  const lists = new Map<string, ReadonlyMap<number, string | undefined>>()
  return {
    find: (list, page) => lists.get(list)?.get(page),
    keep(list, page, query, links) {
      lists.delete(list)
      lists.set(
        list,
        new Map([
          [page - 1, links?.prev],
          [page, query],
          [page + 1, links?.next]
        ])
      )
      const [oldest] = lists.keys()
      if (lists.size > maxLists && oldest !== undefined) lists.delete(oldest)
    }
  }
}
