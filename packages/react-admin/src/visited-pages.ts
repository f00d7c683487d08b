import type { PageLinks } from './read-links.ts'

/** Where the pages beside the one that the user sees begin, for the lists that were read last. */
export interface VisitedPages {
  /** The query of a page of a list; undefined where the user comes from no page beside it. */
  readonly find: (list: string, page: number) => string | undefined
  /** Keeps the way to a page that was read, and to those beside it, in place of what was kept of the list. */
  readonly keep: (list: string, page: number, query: string | undefined, links: PageLinks | undefined) => void
}

const maxLists = 50

/** Starts without any page. The lists that were read longest ago are forgotten. */
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
