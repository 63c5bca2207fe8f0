// Bundled separately: its dependencies are twenty times as large as the part that is used.
export { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
