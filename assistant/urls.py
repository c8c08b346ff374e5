"""The assistant's addresses."""

from django.urls import path

from assistant import api, feedback, health, how_it_works, page, privacy, views

app_name = "assistant"

urlpatterns = [
    path("api/ask", api.ask_view, name="api-ask"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
    path("<str:language>/chat/", views.ChatView.as_view(), name="chat"),
    path("<str:language>/chat/feedback/", feedback.FeedbackView.as_view(), name="feedback"),
    path("<str:language>/how-it-works/", how_it_works.HowItWorksView.as_view(), name="how-it-works"),
    path("<str:language>/privacy/", privacy.PrivacyView.as_view(), name="privacy"),
    path("<str:language>/accessibility/", page.accessibility, name="accessibility"),
]
