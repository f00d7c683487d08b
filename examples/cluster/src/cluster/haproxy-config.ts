import type { Ports } from './ports.ts'

/**
 * The configuration of HAProxy: requests go to the processes that say at `/ready` that they are.
 *
 * A process that ends in good order says so there first, and answers what it has; HAProxy sends it nothing new after half a second.
 * Requests of one that is gone are sent to another only where the connection was refused: others may have been carried out.
 */
export function haproxyConfig({ api, statistics, processes }: Ports): string {
  const servers = processes.map(
    ({ api: port, probes }, at) => `  server process${at + 1} 127.0.0.1:${port} check port ${probes}`
  )
  return `global
  maxconn 2000

defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout queue 5s
  # Streams are quiet for up to 25 s between two signs of life, which is within the time of a server.
  timeout http-keep-alive 60s
  option forwardfor
  option redispatch
  retries 3
  retry-on conn-failure

frontend api
  bind 127.0.0.1:${api}
  default_backend processes

backend processes
  balance roundrobin
  option httpchk
  http-check send meth GET uri /ready
  http-check expect status 200
  default-server inter 500ms fastinter 250ms fall 2 rise 1 on-marked-down shutdown-sessions maxconn 500
${servers.join('\n')}

listen statistics
  bind 127.0.0.1:${statistics}
  stats enable
  stats uri /
  stats refresh 2s
`
}
