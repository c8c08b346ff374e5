"""The assistant's addresses."""

from django.urls import path

from assistant import api, feedback, health, how_it_works, page, privacy, views, widget
from assistant.framing import in_a_frame

app_name = "assistant"

urlpatterns = [
    path("api/ask", api.ask_view, name="api-ask"),
    path("api/widget", widget.button, name="widget-button"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
    path("<str:language>/chat/", views.ChatView.as_view(), name="chat"),
    path("<str:language>/chat/feedback/", feedback.FeedbackView.as_view(), name="feedback"),
    path("<str:language>/chat/widget/", in_a_frame(widget.WidgetView.as_view()), name="widget"),
    path("<str:language>/chat/widget/feedback/", in_a_frame(widget.WidgetFeedbackView.as_view())),
    path("<str:language>/chat/widget/own/", in_a_frame(widget.WidgetOwnDataView.as_view())),
    path("<str:language>/how-it-works/", how_it_works.HowItWorksView.as_view(), name="how-it-works"),
    path("<str:language>/privacy/", privacy.PrivacyView.as_view(), name="privacy"),
    path("<str:language>/accessibility/", page.accessibility, name="accessibility"),
]
