import type { FastifyInstance } from 'fastify'

/** The value of a line of metrics, by its name and labels. */
export const valueOf = (text: string, line: string): string | undefined =>
  text
    .split('\n')
    .find((each) => each.startsWith(`${line} `))
    ?.slice(line.length + 1)

/** What `/metrics` answers. */
export const readMetrics = async (app: FastifyInstance): Promise<string> => (await app.inject('/metrics')).payload

/** The names and labels of all series of metrics with a prefix, without those of buckets. */
export const seriesOf = (text: string, prefix: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith(prefix) && !line.includes('le="'))
    .map((line) => line.slice(0, line.lastIndexOf(' ')))
