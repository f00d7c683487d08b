export { relayMetrics } from './processes/relay-metrics.ts'
