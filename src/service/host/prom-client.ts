// Bundled by itself: what it depends on is twenty times as large as what is used of it.
export { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
