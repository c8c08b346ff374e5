"""What Prometheus reads at /metrics: counts and durations, never a visitor's text or address."""

from prometheus_client import Counter, Gauge, Histogram

from assistant.events import Done, Event, LeadIn, Notice, Refusal, Released

QUESTIONS = Counter("trava_questions_total", "Questions admitted.", ["entrance"])
REFUSALS = Counter("trava_refusals_total", "Refusals shown.", ["reason"])
NOTICES = Counter("trava_notices_total", "Notices shown.", ["reason"])
SENTENCES = Counter("trava_sentences_total", "Sentences released.")
STOPS = Counter("trava_stops_total", "Answers stopped by a check.", ["stop"])
MODEL_REFUSALS = Counter(
    "trava_model_refusals_total", "Answers a model declined: by the token, in prose with reason, or unduly.", ["kind"]
)
SECOND_TRIES = Counter("trava_second_tries_total", "Answers asked for once more.", ["reason"])
STRAYED = Counter("trava_strayed_sentences_total", "Sentences released in another language than the reader's.")
MODEL_FAILURES = Counter("trava_model_failures_total", "Answers that a model did not give or finish.", ["kind"])
TURN_SECONDS = Histogram(
    "trava_turn_seconds", "From question to the last event.", ["route"], buckets=(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
)
COST = Counter("trava_cost_microusd_total", "Micro-USD charged to turns.")
STREAMS = Gauge("trava_streams", "Answers streaming in this process.")
SOCKETS = Gauge("trava_sockets", "Open websockets of this process.")
RATE_LIMITER_UNREACHABLE = Counter(
    "trava_rate_limiter_unreachable_total", "Questions let through because Redis did not answer."
)
ALERTS_UNTOLD = Gauge("trava_alerts_untold", "Open alerts that nobody was told of; NaN without a database.")


def observe(event: Event) -> None:
    """Count one event of a turn."""
    match event:
        case Refusal(reason=reason):
            REFUSALS.labels(reason).inc()
        case Notice(reason=reason):
            NOTICES.labels(reason).inc()
        case LeadIn():
            pass
        case Released():
            SENTENCES.inc()
        case Done():
            TURN_SECONDS.labels(event.route).observe(event.ms / 1000)
            COST.inc(event.cost_microusd)
            if event.stop:
                STOPS.labels(event.stop).inc()
