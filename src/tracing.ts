import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from '@opentelemetry/api';

/** A request, as its span describes it: never its address, coordinates, body or key. */
interface TracedRequest {
  readonly method: string;
  /** The pattern of the path. */
  readonly route: string;
  readonly requestId: string;
  /** Headers, of which `traceparent` and `tracestate` continue the caller's trace. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A request whose span has begun. */
export interface RequestSpan {
  /** Steps within this work are children of the request. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
  readonly end: (status: number) => void;
}

/** Records requests and their steps as OpenTelemetry spans. */
export interface Tracing {
  readonly begin: (request: TracedRequest) => RequestSpan;
  /** A step of the request that runs, or nothing outside one. */
  readonly step: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** Sends what is recorded. */
  readonly close: () => Promise<void>;
}

const NO_SPAN: RequestSpan = { run: (work) => work(), end: () => {} };

/** Records nothing, and costs nothing. */
export const NO_TRACING: Tracing = {
  begin: () => NO_SPAN,
  step: (_name, work) => work(),
  close: async () => {},
};

interface TracingSettings {
  /** The OTLP collector, without /v1/traces; null = no tracing. */
  readonly otlpEndpoint: string | null;
  /** Share of the traces that begin here. A caller's trace is recorded if the caller records it. */
  readonly traceShare: number;
}

/** Stopping waits for the last export, and has 15 seconds in all. */
const EXPORT_TIMEOUT_MS = 2000;

/**
 * Sends spans to an OTLP collector over HTTP. The SDK is loaded only if one is set. A collector that does not answer
 * delays no request: spans wait in a bounded queue and are dropped.
 */
export async function openTracing({ otlpEndpoint, traceShare }: TracingSettings): Promise<Tracing> {
  if (otlpEndpoint === null) return NO_TRACING;
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, defaultTextMapGetter, trace } =
    await import('@opentelemetry/api');
  const { W3CTraceContextPropagator } = await import('@opentelemetry/core');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } =
    await import('@opentelemetry/sdk-trace');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const exporter = new OTLPTraceExporter({
    url: `${otlpEndpoint}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'plumbline' }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(traceShare) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('plumbline');
  const propagator = new W3CTraceContextPropagator();
  const running = new AsyncLocalStorage<Context>();
  return {
    begin({ method, route, requestId, headers }) {
      const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
      const attributes = {
        'http.request.method': method,
        'http.route': route,
        'plumbline.request_id': requestId,
      };
      const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
      return {
        run: (work) => running.run(trace.setSpan(parent, span), work),
        end(status) {
          span.setAttribute('http.response.status_code', status);
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    async step(name, work) {
      const parent = running.getStore();
      if (parent === undefined) return work();
      const span = tracer.startSpan(name, {}, parent);
      try {
        return await running.run(trace.setSpan(parent, span), work);
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    close: () => provider.shutdown(),
  };
}
